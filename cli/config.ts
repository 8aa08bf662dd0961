import { Command } from 'commander';
import type { Desk } from './desk.ts';
import { makeOutput } from './terminal/output.ts';
import { type Common, verb } from './terminal/values.ts';

/** `gatehouse config`: look at the settings. */
export const configCommand = ({ settings }: Desk): Command => {
  const noun = new Command('config').description('look at the settings');
  verb(
    noun,
    'check',
    'show the settings as they will be used, secrets hidden; exits with 78 when one is wrong',
  ).action(({ json }: Common) => makeOutput(json).one(settings()));
  return noun;
};
