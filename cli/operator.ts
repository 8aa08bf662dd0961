import { Argument, Command } from 'commander';
import type { Desk } from './desk.ts';
import { makeOutput } from './terminal/output.ts';
import { type ActingOptions, actingVerb } from './terminal/values.ts';

/** `gatehouse operator`: appoint and dismiss operators, who may use the admin endpoints. */
export const operatorCommand = ({ act, by }: Desk): Command => {
  const noun = new Command('operator').description('say who is an operator');

  actingVerb(noun, 'grant <user>', 'make a user an operator')
    .addArgument(
      new Argument('<role>', 'founders may also say who is an operator').choices(['founder', 'dev']),
    )
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, role: 'founder' | 'dev', { json, ...acting }: ActingOptions) => {
      const granted = await act(({ accounts: { operate } }) => operate.appoint(user, role, by(acting)));
      makeOutput(json).done(`${granted.email} ${granted.changed ? 'is' : 'was'} ${role}.`, granted);
    });

  actingVerb(noun, 'revoke <user>', 'make an operator a user like any other')
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, { json, ...acting }: ActingOptions) => {
      const granted = await act(({ accounts: { operate } }) => operate.dismiss(user, by(acting)));
      const message = granted.changed ? 'is no operator any more' : 'was no operator';
      makeOutput(json).done(`${granted.email} ${message}.`, granted);
    });
  return noun;
};
