import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { makeOutput } from '../terminal/print-results.ts';
import { type ActingOptions, actingVerb, timeOption } from '../terminal/verbs-and-options.ts';
import { userActionVerbs } from '../user-action-verbs.ts';

interface RestrictOptions extends ActingOptions {
  readonly reason: string;
  readonly until?: number;
}

const RESTRICTIONS = [
  ['ban', 'banned', 'ban a user: live tokens may only read /api/auth/me, log out and delete'],
  ['disable', 'disabled', 'disable a user, with the effect of a ban'],
] as const;

/** The verbs that change one thing about one user. */
export const changeVerbs = (noun: Command, context: CommandContext): void => {
  const { withChanges, by } = context;
  for (const [name, participle, description] of RESTRICTIONS) {
    actingVerb(noun, `${name} <user>`, description)
      .requiredOption('--reason <reason>', 'why; audited')
      .option('--until <time>', 'the end, ISO 8601; default: permanent', timeOption)
      .action(async (user: string, { json, until, ...operator }: RestrictOptions) => {
        const restriction = { reason: operator.reason, until: until ?? null };
        const result = await withChanges(({ accounts: { operate } }) =>
          operate[name](user, restriction, by(operator)),
        );
        const outcome = result.changed ? `is ${participle}` : `was ${participle} already`;
        makeOutput(json).done(`${result.email} ${outcome}.`, result);
      });
  }
  userActionVerbs(noun, context);
};
