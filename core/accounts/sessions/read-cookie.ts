import type { AccessTokenClaims } from '../../access-token.ts';
import { invalidToken } from '../errors.ts';
import type { SentCookie } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Presence } from '../ports.ts';
import { awaitsRenewal, expiryOf, isLive, type Session, timeSince } from '../session.ts';
import { isWhole, makeReadAnew } from './authenticate.ts';
import { cookieReplaced, standingOf } from './cookie.ts';
import { isOurs, markOf, readSecret } from './marked-secret.ts';
import { makeNoteUse } from './use-cookie.ts';

/** The session and account behind a cookie's value, from the store. */
export interface CookieOwner extends Presence {
  readonly claims: AccessTokenClaims;
  readonly cookie: SentCookie;
}

/** Where a session and its account are looked up. */
type Find = (userId: string, sessionId: string) => Promise<Presence | undefined>;

/**
 * The owner of a cookie's value, of a session of the console or of any other. Throws `unauthenticated`: `invalid_token`
 * for a value that is not, or no longer, good, `cookie_replaced` for one that was replaced a moment ago and is not good
 * any more.
 */
export const makeReadCookie = (kit: Kit, kind?: Session['kind']) => {
  const { accounts, clock, digest, policy, presences, sessions } = kit;
  const readAnew = makeReadAnew(kit);
  const noteUse = makeNoteUse(kit);

  // Who works in the console is looked up anew each time: who is dismissed is out at once.
  const findAnew: Find = async (userId, sessionId) => {
    const session = await sessions.find(userId, sessionId);
    const account = session && (await accounts.find(userId));
    return account && { account, session };
  };
  const find: Find = kind === 'console' ? findAnew : (userId, id) => presences.find(userId, id);
  const isOn = policy.cookieSessions || kind === 'console';

  const standing = (presence: Presence | undefined, presented: string, now: number) => {
    if (presence?.session.cookie === undefined || !isWhole(presence)) return undefined;
    if (presence.session.kind !== kind) return undefined;
    const { session, account } = presence;
    const { cookie } = presence.session;
    const held = standingOf(cookie, presented, policy, now);
    return held === undefined || !isLive(session, account, now)
      ? undefined
      : { ...presence, sent: { changedAt: cookie.changedAt, isFormer: held === 'former' } };
  };

  const isReplaced = ({ session, account }: Presence, now: number): boolean => {
    const isJust = (time: number) => timeSince(time, now) <= policy.formerCookieLife;
    if (session.kind !== kind) return false;
    if (awaitsRenewal(session, account)) return isJust(account.updatedAt);
    return isLive(session, account, now) && session.cookie !== undefined && isJust(session.cookie.changedAt);
  };

  return async (value: string, caller?: Caller): Promise<CookieOwner> => {
    const named = readSecret(value);
    if (named === undefined || !isOn) throw invalidToken();
    const now = clock.now();
    const presented = digest.sha256(value);
    const kept = await find(named.userId, named.sessionId);
    let found = standing(kept, presented, now);
    // What was kept for a second may be from before the change of the value. Values that were made up cost no read.
    if (found === undefined && kept !== undefined && isOurs(digest, 'cookie-mark', value)) {
      const anew = await readAnew(kept);
      found = standing(anew, presented, now);
      if (found === undefined && anew !== undefined && isReplaced(anew, now)) throw cookieReplaced();
    }
    if (found === undefined) throw invalidToken();
    const { session, account, sent } = found;
    const noting = noteUse(session, caller, now);
    if (noting !== undefined) await noting;
    const claims = {
      userId: session.userId,
      sessionId: session.id,
      tokenId: markOf(value),
      issuedAt: Math.floor(sent.changedAt / 1000),
      expiresAt: Math.floor(expiryOf(session) / 1000),
    };
    return { session, account, claims, cookie: sent };
  };
};
