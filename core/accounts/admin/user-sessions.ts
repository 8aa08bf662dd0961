import { constant, object, optional, type Schema, text } from '../../schema.ts';
import { endSessions } from '../account.ts';
import type { Deps } from '../deps.ts';
import { type SessionView, sessionMembers, sessionNotFound, viewSession } from '../sessions/list-and-end.ts';
import { liveSessions } from '../sessions/parent-session.ts';
import { defineAction } from './admin-action.ts';
import { findUser } from './find-user.ts';

// Without `current`, which only the owner of the sessions needs. `ip` and `kind` have other descriptions than the owner's.
export const userSession = object(
  {
    ...sessionMembers,
    ip: text({ description: '', examples: ['203.0.113.7'] }),
    kind: optional(constant('console', { description: 'Set for a session of the console' })),
  },
  { title: 'SessionOfUser' },
) satisfies Schema<Omit<SessionView, 'current'>>;

export const makeListUserSessions = (deps: Deps) => {
  const { clock, sessions } = deps;

  return async (user: string): Promise<readonly Omit<SessionView, 'current'>[]> => {
    const account = await findUser(deps, user);
    const now = clock.now();
    const userSessions = await sessions.list(account.id);
    return liveSessions(userSessions, account, now).map(viewSession);
  };
};

export const endUserSession = defineAction(async ({ entries, sessions }, account, now, sessionId: string) => {
  const userSessions = liveSessions(await sessions.list(account.id), account, now);
  if (!userSessions.some(({ id }) => id === sessionId)) throw sessionNotFound();
  // The task that ends the session and the audit row are one write, so that neither exists alone after a crash.
  return {
    next: account,
    after: { session: sessionId },
    also: [entries.task('end-session', sessionId)],
  };
});

export const endUserSessions = defineAction(({ entries }, account) => ({
  next: endSessions(account, null),
  also: [entries.task('end-sessions')],
}));
