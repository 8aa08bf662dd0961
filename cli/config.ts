import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { type CommonOptions, verb } from './terminal/verbs-and-options.ts';

/** `gatehouse config`: look at the settings. */
export const configCommand = ({ settings }: CommandContext): Command => {
  const noun = new Command('config').description('show and check the settings');
  verb(
    noun,
    'check',
    'show the settings as they will be used, secrets hidden; exits with 78 if one is wrong',
  ).action(({ json }: CommonOptions) => makeOutput(json).record(settings()));
  return noun;
};
