import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { isLive, type Session } from '../session.ts';
import { changeSession } from './change-session.ts';

/** The id of the session that authorized an app: the app's session ends with it. Undefined if the session depends on no other. */
const parentIdOf = (
  { id, epoch, givenBy }: Session,
  { keptSession }: Pick<Account, 'keptSession'>,
): string | undefined => {
  if (givenBy === undefined) return undefined;
  // A change of the account, such as of the password, ends all sessions but the one that made the change. That session is the
  // `keptSession`, or has a newer session version than when it was authorized.
  const hasChangedAccount = id === keptSession || epoch > givenBy.epoch;
  return givenBy.isDetached || hasChangedAccount ? undefined : givenBy.id;
};

/** Whether the session that authorized an app is live: the app's session ends with it. True where the session depends on none. */
export const hasLiveParent = async (
  { clock, sessionCache }: Pick<Deps, 'clock' | 'sessionCache'>,
  session: Session,
  account: Account,
): Promise<boolean> => {
  const parentId = parentIdOf(session, account);
  if (parentId === undefined) return true;
  const parent = await sessionCache.find(session.userId, parentId);
  return parent !== undefined && isLive(parent.session, account, clock.now());
};

/** The live sessions of an account, without apps' sessions whose parent is not live. `sessions`: all that were not ended. */
export const liveSessions = (
  sessions: readonly Session[],
  account: Parameters<typeof isLive>[1],
  now: number,
): readonly Session[] => {
  const live = sessions.filter((session) => isLive(session, account, now));
  const ids = new Set(live.map(({ id }) => id));
  return live.filter((session) => {
    const parentId = parentIdOf(session, account);
    return parentId === undefined || ids.has(parentId);
  });
};

/**
 * Lets an app's session go on when its parent ends. `lastUsedAt` grows, since concurrent writes compare it with the value that
 * they read: none of them takes `isDetached` away again.
 */
export const detachFromParent = (
  deps: Pick<Deps, 'clock' | 'sessions'>,
  key: Pick<Session, 'userId' | 'id'>,
): Promise<unknown> =>
  changeSession(deps, key, (session) => {
    const { givenBy, endedAt } = session;
    if (givenBy === undefined || givenBy.isDetached || endedAt !== null) return undefined;
    const lastUsedAt = Math.max(deps.clock.now(), session.lastUsedAt + 1);
    return { next: { ...session, lastUsedAt, givenBy: { ...givenBy, isDetached: true } }, answer: undefined };
  });

/**
 * Ends a session, then the sessions of the apps that end with it. Even if ending those fails, they are refused, since their
 * parent is not live. False if the session had ended before, or never existed.
 */
export const endWithChildren = async (
  { accounts, clock, sessions, tokens }: Pick<Deps, 'accounts' | 'clock' | 'sessions' | 'tokens'>,
  userId: string,
  id: string,
): Promise<boolean> => {
  const now = clock.now();
  const wasLive = await sessions.end(userId, id, now);
  tokens.forget(id);
  const children = (await sessions.list(userId)).filter(({ givenBy }) => givenBy?.id === id);
  if (children.length === 0) return wasLive;
  const account = (await accounts.find(userId)) ?? { keptSession: null };
  for (const session of children) {
    if (parentIdOf(session, account) === undefined) continue;
    await sessions.end(userId, session.id, now);
    tokens.forget(session.id);
  }
  return wasLive;
};
