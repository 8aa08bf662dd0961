import { timeOfId } from '../ids.ts';
import type { Account } from './account.ts';
import { CLOCK_SET_BACK } from './policy.ts';

/** How somebody proved who they are; `code` is one that was mailed. */
export type Method = 'password' | 'totp' | 'recovery' | 'passkey' | 'oidc' | 'code';

/** When and how the owner of a session last proved who they are. Refreshing moves neither. */
export interface Proof {
  /** Epoch milliseconds. */
  readonly authenticatedAt: number;
  readonly methods: readonly Method[];
}

/** A refresh token that was exchanged for the next one. */
export interface UsedToken {
  /** SHA-256 of it. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What the cookie of a session holds. Its value changes with each proof of who the owner is. */
export interface SessionCookie {
  /** SHA-256 of the value. */
  readonly digest: string;
  /** SHA-256 of the value before, which is good for a moment longer; null when none is. */
  readonly previousDigest: string | null;
  /** When the value last changed. Epoch milliseconds. */
  readonly changedAt: number;
}

/**
 * A login on one device: one record, with the digests of its current refresh token and of those used lately, or of the
 * value of its cookie.
 */
export interface Session extends Proof {
  readonly id: string;
  readonly userId: string;
  /** The account's session epoch when it began, or when a change of the password gave it a new pair of tokens. */
  readonly epoch: number;
  /** SHA-256 of the refresh token that may be used next; null for a session in a cookie. */
  readonly refreshDigest: string | null;
  /** There for a session in a cookie alone. */
  readonly cookie?: SessionCookie;
  /** There for a session of the operators' console: it opens nothing else, and nothing else opens the console. */
  readonly kind?: 'console';
  /** The one used last, and before it those whose second use may still be a double click; the newest first. */
  readonly usedTokens: readonly UsedToken[];
  /** Access tokens made before it are over; null when none are. Epoch milliseconds, like every time in here. */
  readonly tokensFrom: number | null;
  /** The current refresh token's end; of a session in a cookie, the end unless it is used again. */
  readonly refreshExpiresAt: number;
  /** The session's end, however often it is refreshed. */
  readonly endsAt: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly userAgent: string | null;
  readonly address: string;
  /**
   * Set when it was ended; the record goes once the event about it is out. By then nothing is left in it of who used it:
   * `address` is empty, `userAgent` null.
   */
  readonly endedAt: number | null;
}

/** When a session was last used or refreshed. */
export type SessionUse = Pick<Session, 'userId' | 'id' | 'lastUsedAt'>;

/** Whether the session may still be used: not ended, not expired, and not cut off by a change of the account. */
export const isLive = (
  session: Session,
  account: Pick<Account, 'deletedAt' | 'sessionEpoch' | 'keptSession' | 'isKeptRenewed'>,
  now: number,
): boolean =>
  session.endedAt === null &&
  account.deletedAt === null &&
  now < session.endsAt &&
  now < session.refreshExpiresAt &&
  (session.epoch === account.sessionEpoch ||
    (session.id === account.keptSession && account.isKeptRenewed === undefined));

/**
 * Whether a change of the account cut the session off and is about to give it a new pair of tokens: until then it is not
 * live, but nobody may end it.
 */
export const awaitsRenewal = ({ id, epoch }: Session, account: Account): boolean =>
  account.isKeptRenewed === true && id === account.keptSession && epoch < account.sessionEpoch;

/** When the session expires unless it is refreshed: with its refresh token, or at its own end if that is earlier. */
export const expiryOf = ({ refreshExpiresAt, endsAt }: Session): number => Math.min(refreshExpiresAt, endsAt);

/** The fields that the end of a session changes. Nothing personal is left. */
export const endedFields = (now: number) => ({ endedAt: now, address: '', userAgent: null });

/** Whether an access token is of a pair that was replaced. By its id: `iat` has only seconds. */
export const isReplaced = ({ tokensFrom }: Session, tokenId: string): boolean =>
  tokensFrom !== null && timeOfId(tokenId) < tokensFrom;

/** Nobody knows how long ago a time ahead of us was: the clock was set back since, so it counts as long ago. */
export const timeSince = (time: number, now: number): number =>
  time > now + CLOCK_SET_BACK ? Number.POSITIVE_INFINITY : now - time;

/** The session to rotate, with the digest that the caller presented. */
export interface Rotation {
  readonly userId: string;
  readonly sessionId: string;
  readonly presented: string;
  readonly next: string;
  readonly now: number;
  readonly refreshExpiresAt: number;
  readonly address: string;
  readonly userAgent: string | null;
  /** Which used tokens are kept beside the presented one: `life` in milliseconds, `most` with the presented one. */
  readonly usedTokens: { readonly life: number; readonly most: number };
  /** Ends the access tokens made before it. */
  readonly tokensFrom?: number;
  /** The account's session epoch from now on. */
  readonly epoch?: number;
}

/** The fields that a rotation changes. The token that was used last is kept, however old it is. */
export const rotatedFields = (session: Session, rotation: Rotation) => {
  const { presented, now, usedTokens } = rotation;
  const others = session.usedTokens.filter(({ at }) => timeSince(at, now) <= usedTokens.life);
  return {
    refreshDigest: rotation.next,
    usedTokens: [{ digest: presented, at: now }, ...others].slice(0, usedTokens.most),
    tokensFrom: rotation.tokensFrom ?? session.tokensFrom,
    epoch: rotation.epoch ?? session.epoch,
    refreshExpiresAt: rotation.refreshExpiresAt,
    lastUsedAt: now,
    address: rotation.address,
    userAgent: rotation.userAgent,
  };
};

/** The use of a session in a cookie, on condition that its cookie and `lastUsedAt` are as they were read. */
export interface CookieUse {
  readonly userId: string;
  readonly sessionId: string;
  readonly read: { readonly digest: string; readonly lastUsedAt: number };
  readonly now: number;
  readonly refreshExpiresAt: number;
  /** Who used it; absent where that is not known. */
  readonly from?: { readonly address: string; readonly userAgent: string | null };
  /** What else changes: the cookie has a new value, by a new proof or by a change of the account. */
  readonly change?: Partial<Proof & Pick<Session, 'cookie' | 'epoch' | 'tokensFrom'>>;
}

/** The fields that a use changes. */
export const usedFields = ({ now, refreshExpiresAt, from, change }: CookieUse) => ({
  ...change,
  ...from,
  refreshExpiresAt,
  lastUsedAt: now,
});
