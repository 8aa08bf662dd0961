import { constant, object, optional, type Schema, text } from '../../schema.ts';
import { endSessions } from '../account.ts';
import type { Deps } from '../deps.ts';
import { type SessionView, sessionMembers, sessionNotFound, viewSession } from '../sessions/list-and-end.ts';
import { liveSessions } from '../sessions/parent-session.ts';
import { type AdminActionResult, makeAdminAction, makeFindUser, type Operator } from './admin-action.ts';
import type { AdminActionRules } from './change-by-operator.ts';

// A session without what only its owner needs.
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
  const findUser = makeFindUser(deps);

  return async (user: string): Promise<readonly Omit<SessionView, 'current'>[]> => {
    const account = await findUser(user);
    const now = clock.now();
    const userSessions = await sessions.list(account.id);
    return liveSessions(userSessions, account, now).map(viewSession);
  };
};

export const makeEndUserSession = (deps: Deps, rules: AdminActionRules) => {
  const { clock, entries, sessions } = deps;
  const runAction = makeAdminAction(deps, rules);
  const findUser = makeFindUser(deps);

  return async (user: string, sessionId: string, by: Operator): Promise<AdminActionResult> => {
    const account = await findUser(user);
    const userSessions = liveSessions(await sessions.list(account.id), account, clock.now());
    if (!userSessions.some(({ id }) => id === sessionId)) throw sessionNotFound();
    // The task and the row are one write, so that neither exists alone after a crash.
    return runAction(account.id, by, (current) => ({
      next: current,
      after: { session: sessionId },
      also: [entries.task('end-session', sessionId)],
    }));
  };
};

export const makeEndUserSessions = (deps: Deps, rules: AdminActionRules) => {
  const runAction = makeAdminAction(deps, rules);

  return (user: string, by: Operator): Promise<AdminActionResult> =>
    runAction(user, by, (account) => ({
      next: endSessions(account, null),
      also: [deps.entries.task('end-sessions')],
    }));
};
