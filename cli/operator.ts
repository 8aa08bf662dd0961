import { Argument, Command } from 'commander';
import { OPERATOR_ROLES, type OperatorRole } from '../core/accounts/entitlement.ts';
import type { CommandContext } from './context.ts';
import { makeOutput } from './terminal/print-results.ts';
import { type ActingOptions, actingVerb, REASON } from './terminal/verbs-and-options.ts';
import { userActionVerbs } from './user-action-verbs.ts';

/** `gatehouse operator`: appoint and dismiss operators, who may use the admin endpoints. */
export const operatorCommand = (context: CommandContext): Command => {
  const { withChanges, by } = context;
  const noun = new Command('operator').description('appoint and dismiss operators');

  actingVerb(noun, 'grant <user>', 'make a user an operator')
    .addArgument(
      new Argument('<role>', 'founders may also appoint and dismiss operators').choices(OPERATOR_ROLES),
    )
    .addOption(REASON)
    .action(async (user: string, role: OperatorRole, { json, ...operator }: ActingOptions) => {
      const result = await withChanges(({ accounts: { operate } }) =>
        operate.appoint(user, role, by(operator)),
      );
      makeOutput(json).done(`${result.email} ${result.changed ? 'is' : 'was already'} ${role}.`, result);
    });

  userActionVerbs(noun, context);
  return noun;
};
