import { CoreError } from '../../errors.ts';
import { type Caller, calledFrom } from '../base-deps.ts';
import type { Deps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import type { Session } from '../session.ts';
import { liveSessions, makeEndWithChildren } from './parent-session.ts';
import { makeRequireFresh } from './require-fresh.ts';

/** A session as its owner sees it. Times are ISO 8601. */
export interface SessionView {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly userAgent: string | null;
  readonly ip: string;
  /** Present only for a session of the operators' console. */
  readonly kind?: 'console';
  /** Present only for an app's session: the id of the session that authorized the app, with which it ends. */
  readonly givenBy?: string;
  readonly current: boolean;
}

export const viewSession = (session: Session): Omit<SessionView, 'current'> => ({
  id: session.id,
  createdAt: new Date(session.createdAt).toISOString(),
  lastUsedAt: new Date(session.lastUsedAt).toISOString(),
  userAgent: session.userAgent,
  ip: session.address,
  ...(session.kind && { kind: session.kind }),
  ...(session.givenBy && { givenBy: session.givenBy.id }),
});

export const sessionNotFound = () =>
  new CoreError('missing', 'session_not_found', 'There is no such session.');

export const makeListSessions =
  ({ clock, sessions }: Pick<Deps, 'clock' | 'sessions'>) =>
  async ({ user, session: current }: Principal): Promise<{ readonly sessions: readonly SessionView[] }> => {
    const now = clock.now();
    const live = liveSessions(await sessions.list(user.id), { ...user, deletedAt: null }, now);
    return {
      sessions: live.map((session) => ({ ...viewSession(session), current: session.id === current.id })),
    };
  };

export const makeEndSession = (deps: Deps) => {
  const { log, wake } = deps;
  const requireFresh = makeRequireFresh(deps);
  const endWithChildren = makeEndWithChildren(deps);

  return async (principal: Principal, id: string, caller: Caller): Promise<{ readonly success: true }> => {
    const { user, session } = principal;
    if (id !== session.id) await requireFresh(principal, caller);
    if (!(await endWithChildren(user.id, id))) throw sessionNotFound();
    wake();
    log.info('session.ended', { userId: user.id, sessionId: id, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeEndOtherSessions = (deps: Deps) => {
  const { clock, log, sessions, wake } = deps;
  const requireFresh = makeRequireFresh(deps);

  return async (principal: Principal, caller: Caller): Promise<{ readonly success: true }> => {
    const { user, session } = principal;
    await requireFresh(principal, caller);
    // Only the sessions that the caller could see: a concurrent password reset begins another epoch.
    const others = { keep: session.id, beforeEpoch: user.sessionEpoch + 1 };
    const count = await sessions.endAll(user.id, others, clock.now());
    wake();
    log.info('session.others_ended', { userId: user.id, count, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeSignOut = (deps: Deps) => {
  const { log, wake } = deps;
  const endWithChildren = makeEndWithChildren(deps);

  return async ({ user, session }: Principal, caller: Caller): Promise<{ readonly success: true }> => {
    await endWithChildren(user.id, session.id);
    wake();
    log.info('session.logged_out', { userId: user.id, sessionId: session.id, ...calledFrom(caller) });
    return { success: true };
  };
};
