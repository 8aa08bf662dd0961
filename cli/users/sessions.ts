import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { makeOutput } from '../terminal/print-results.ts';
import { type ActingOptions, actingVerb, type CommonOptions, verb } from '../terminal/verbs-and-options.ts';

interface LogOutOptions extends ActingOptions {
  readonly session?: string;
}

/** `users sessions` and `users logout`. */
export const sessionVerbs = (noun: Command, { withChanges, by, withReadOnly }: CommandContext): void => {
  verb(noun, 'sessions <user>', 'list the live sessions of a user, newest first').action(
    async (user: string, { json }: CommonOptions) => {
      const sessions = await withReadOnly(({ accounts: { operate } }) => operate.listSessions(user));
      await makeOutput(json).list(sessions, [
        ['ID', ({ id }) => id],
        ['CREATED', ({ createdAt }) => createdAt],
        ['LAST USED', ({ lastUsedAt }) => lastUsedAt],
        ['ADDRESS', ({ ip }) => ip],
        ['USER AGENT', ({ userAgent }) => userAgent],
      ]);
    },
  );

  actingVerb(noun, 'logout <user>', 'end all sessions of a user, or one')
    .option('--session <id>', 'only this session')
    .option('--reason <reason>', 'why; audited')
    .action(async (user: string, { json, session, ...operator }: LogOutOptions) => {
      const result = await withChanges(({ accounts: { operate } }) =>
        session === undefined
          ? operate.endSessions(user, by(operator))
          : operate.endSession(user, session, by(operator)),
      );
      const outcome = session === undefined ? 'is signed out everywhere' : 'is signed out of that session';
      makeOutput(json).done(`${result.email} ${outcome}.`, result);
    });
};
