import { Argument, Command } from 'commander';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/output.ts';
import { type ActingOptions, actingVerb } from './terminal/values.ts';

/** `gatehouse operator`: appoint and dismiss operators, who may use the admin endpoints. */
export const operatorCommand = ({ act, by }: CommandContext): Command => {
  const noun = new Command('operator').description('say who is an operator');

  actingVerb(noun, 'grant <user>', 'make a user an operator')
    .addArgument(
      new Argument('<role>', 'founders may also say who is an operator').choices(['founder', 'dev']),
    )
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, role: 'founder' | 'dev', { json, ...operator }: ActingOptions) => {
      const result = await act(({ accounts: { operate } }) => operate.appoint(user, role, by(operator)));
      makeOutput(json).done(`${result.email} ${result.changed ? 'is' : 'was'} ${role}.`, result);
    });

  actingVerb(noun, 'revoke <user>', 'make an operator a user like any other')
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, { json, ...operator }: ActingOptions) => {
      const result = await act(({ accounts: { operate } }) => operate.dismiss(user, by(operator)));
      const message = result.changed ? 'is no longer an operator' : 'was not an operator';
      makeOutput(json).done(`${result.email} ${message}.`, result);
    });
  return noun;
};
