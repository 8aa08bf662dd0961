import { CoreError } from '../../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { isLive, type Session } from '../session.ts';
import { makeNeedFresh } from './fresh.ts';

/** A session as its owner sees it. Times are ISO 8601. */
export interface SessionView {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly userAgent: string | null;
  readonly ip: string;
  /** There for a session of the operators' console. */
  readonly kind?: 'console';
  readonly current: boolean;
}

export const viewSession = (session: Session): Omit<SessionView, 'current'> => ({
  id: session.id,
  createdAt: new Date(session.createdAt).toISOString(),
  lastUsedAt: new Date(session.lastUsedAt).toISOString(),
  userAgent: session.userAgent,
  ip: session.address,
  ...(session.kind && { kind: session.kind }),
});

export const sessionNotFound = () =>
  new CoreError('missing', 'session_not_found', 'There is no such session.');

export const makeListSessions =
  ({ clock, sessions }: Pick<Kit, 'clock' | 'sessions'>) =>
  async ({ user, session: own }: Identity): Promise<{ readonly sessions: readonly SessionView[] }> => {
    const now = clock.now();
    const live = (await sessions.list(user.id)).filter((session) =>
      isLive(session, { ...user, deletedAt: null }, now),
    );
    return {
      sessions: live.map((session) => ({ ...viewSession(session), current: session.id === own.id })),
    };
  };

export const makeEndSession = (kit: Kit) => {
  const { clock, log, sessions, tokens, wake } = kit;
  const needFresh = makeNeedFresh(kit);

  return async (who: Identity, id: string, caller: Caller): Promise<{ readonly success: true }> => {
    const { user, session } = who;
    if (id !== session.id) await needFresh(who, caller);
    if (!(await sessions.end(user.id, id, clock.now()))) {
      throw sessionNotFound();
    }
    tokens.forget(id);
    wake();
    log.info('session.ended', { userId: user.id, sessionId: id, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeEndOtherSessions = (kit: Kit) => {
  const { clock, log, sessions, wake } = kit;
  const needFresh = makeNeedFresh(kit);

  return async (who: Identity, caller: Caller): Promise<{ readonly success: true }> => {
    const { user, session } = who;
    await needFresh(who, caller);
    // Those alone that the caller could see: a reset of the password on its way begins another epoch.
    const others = { keep: session.id, beforeEpoch: user.sessionEpoch + 1 };
    const count = await sessions.endAll(user.id, others, clock.now());
    wake();
    log.info('session.others_ended', { userId: user.id, count, ...calledFrom(caller) });
    return { success: true };
  };
};

export const makeLogOut =
  ({ clock, log, sessions, tokens, wake }: Pick<Kit, 'clock' | 'log' | 'sessions' | 'tokens' | 'wake'>) =>
  async ({ user, session }: Identity, caller: Caller): Promise<{ readonly success: true }> => {
    await sessions.end(user.id, session.id, clock.now());
    tokens.forget(session.id);
    wake();
    log.info('session.logged_out', { userId: user.id, sessionId: session.id, ...calledFrom(caller) });
    return { success: true };
  };
