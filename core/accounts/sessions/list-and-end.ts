import { type Success, TIME } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import { isoTime } from '../../iso-times.ts';
import { constant, flag, list, nullable, object, optional, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import type { Session } from '../session.ts';
import { detachFromParent, endWithChildren, liveSessions } from './parent-session.ts';
import { requireFresh } from './require-fresh.ts';

/** What both the owner and operators see of a session. */
export const sessionMembers = {
  id: text({ format: 'uuid', examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'] }),
  createdAt: TIME,
  lastUsedAt: TIME,
  userAgent: nullable(text({ examples: ['Mozilla/5.0'] })),
  ip: text({ examples: ['203.0.113.7'] }),
  kind: optional(constant('console', { description: 'Set for a session of the operators’ console' })),
  givenBy: optional(
    text({
      format: 'uuid',
      description:
        'Set for a session of an app: the session that authorized it, with which it ends unless it was made independent',
      examples: ['0199a0b1-6c2e-7a10-9d41-0b7c5e8f2a13'],
    }),
  ),
};
const sessionView = object(
  {
    ...sessionMembers,
    current: flag({ description: 'Whether it is the calling session', examples: [true] }),
  },
  { title: 'Session' },
);
/**
 * A session as its owner sees it. Times are ISO 8601. `kind` is present only for a session of the operators' console,
 * `givenBy` only for an app's session: the id of the session that authorized it, with which it ends unless it was made
 * independent.
 */
export type SessionView = TypeOf<typeof sessionView>;

export const sessionList = object({ sessions: list(sessionView, { maxItems: 20 }) });
export type SessionList = TypeOf<typeof sessionList>;

export const sessionParams = object({
  id: text({
    description: 'From the list of sessions',
    examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'],
  }),
});

export const viewSession = (session: Session): Omit<SessionView, 'current'> => ({
  id: session.id,
  createdAt: isoTime(session.createdAt),
  lastUsedAt: isoTime(session.lastUsedAt),
  userAgent: session.userAgent,
  ip: session.address,
  ...(session.kind && { kind: session.kind }),
  ...(session.givenBy && { givenBy: session.givenBy.id }),
});

export const sessionNotFound = () =>
  new CoreError('missing', 'session_not_found', 'There is no such session.');

export const makeListSessions =
  ({ clock, sessions }: Pick<Deps, 'clock' | 'sessions'>) =>
  async ({ user, session: current }: Principal): Promise<SessionList> => {
    const now = clock.now();
    // `deletedAt` is null, since the owner of a deleted account is never a principal.
    const live = liveSessions(await sessions.list(user.id), { ...user, deletedAt: null }, now);
    return {
      sessions: live.map((session) => ({ ...viewSession(session), current: session.id === current.id })),
    };
  };

export const makeEndSession = (deps: Deps) => {
  const { log, wake } = deps;

  return async (principal: Principal, id: string, caller: Caller): Promise<Success> => {
    const { user, session } = principal;
    if (id !== session.id) await requireFresh(deps, principal, caller);
    if (!(await endWithChildren(deps, user.id, id))) throw sessionNotFound();
    wake();
    log.info('session.ended', { userId: user.id, sessionId: id, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeEndOtherSessions = (deps: Deps) => {
  const { clock, log, sessions, wake } = deps;

  return async (principal: Principal, caller: Caller): Promise<Success> => {
    const { user, session } = principal;
    await requireFresh(deps, principal, caller);
    // The calling session is detached before its parent ends. In the other order, a crash in between would end it, too.
    if (session.givenBy !== undefined) await detachFromParent(deps, session);
    // `sessionEpoch` is the session version. A concurrent password reset raises it, and sessions that begin after that stay.
    const others = { keep: session.id, beforeVersion: user.sessionEpoch + 1 };
    const count = await sessions.endAll(user.id, others, clock.now());
    wake();
    log.info('session.others_ended', { userId: user.id, count, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeSignOut = (deps: Deps) => {
  const { log, wake } = deps;

  return async ({ user, session }: Principal, caller: Caller): Promise<Success> => {
    await endWithChildren(deps, user.id, session.id);
    wake();
    log.info('session.logged_out', { userId: user.id, sessionId: session.id, ...calledFrom(caller) });
    return { success: true };
  };
};

/**
 * Ends the sessions that a change of the account has voided. They are invalid already, so a failure must not lose the answer
 * of the change: it only wakes the relay, which then ends them.
 */
export const endVoidedSessions = (
  { clock, sessions, wake }: Pick<Deps, 'clock' | 'sessions' | 'wake'>,
  { id, keptSession, sessionEpoch }: Account,
): Promise<unknown> =>
  sessions.endAll(id, { keep: keptSession, beforeVersion: sessionEpoch }, clock.now()).catch(wake);
