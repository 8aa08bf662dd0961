import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { AccountsPolicy } from '../policy.ts';
import { type CookieUse, type Session, timeSince } from '../session.ts';

/** The use of a session now, by a caller where one is known. */
export const cookieUse = (
  { userId, id, kind, cookie, lastUsedAt }: Session,
  caller: Caller | undefined,
  { consoleIdle, refreshTokenLife }: AccountsPolicy,
  now: number,
): CookieUse => ({
  userId,
  sessionId: id,
  read: { digest: cookie?.digest ?? '', lastUsedAt },
  now,
  refreshExpiresAt: now + (kind === 'console' ? consoleIdle : refreshTokenLife),
  ...(caller && {
    from: { address: caller.address, userAgent: caller.userAgent?.slice(0, 256) ?? null },
  }),
});

/**
 * Notes that a session is used, now and then: its idle end moves on. A failure to do so refuses nobody. Undefined where
 * nothing is due.
 */
export const makeNoteUse =
  ({ failing, policy, sessions }: Pick<Kit, 'failing' | 'policy' | 'sessions'>) =>
  (session: Session, caller: Caller | undefined, now: number): Promise<unknown> | undefined => {
    const every = session.kind === 'console' ? policy.consoleUseEvery : policy.cookieUseEvery;
    if (timeSince(session.lastUsedAt, now) < every) return undefined;
    return sessions.use(cookieUse(session, caller, policy, now)).catch((error: unknown) => {
      failing('use-cookie', session.userId, error);
    });
  };
