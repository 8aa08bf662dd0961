import { timeOfId } from '../ids.ts';
import type { Account } from './account.ts';
import { CLOCK_SET_BACK_MS } from './policy.ts';

/** A method of authentication; `code` is a mailed code. */
export type Method = 'password' | 'totp' | 'recovery' | 'passkey' | 'oidc' | 'code';

/** When and how the owner of a session was last authenticated. Refreshing changes neither. */
export interface Proof {
  /** Epoch milliseconds. */
  readonly authenticatedAt: number;
  readonly methods: readonly Method[];
}

/** A refresh token that was exchanged for the next one. */
export interface UsedToken {
  /** SHA-256 of the token. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The cookie of a session. Its value changes with each proof of the owner's identity. */
export interface SessionCookie {
  /** SHA-256 of the value. */
  readonly digest: string;
  /** SHA-256 of the former value, which stays valid a moment longer; null without one. */
  readonly previousDigest: string | null;
  /** When the value last changed. Epoch milliseconds. */
  readonly changedAt: number;
}

/**
 * A session on one device: one record, with the digests of its current refresh token and of recently used ones, or of
 * the value of its cookie.
 */
export interface Session extends Proof {
  readonly id: string;
  readonly userId: string;
  /** The account's session version when the session began, or when a password change gave it new tokens or a new cookie value. */
  readonly epoch: number;
  /** SHA-256 of the current refresh token; null for a session in a cookie. */
  readonly refreshDigest: string | null;
  /** Present only for a session in a cookie. */
  readonly cookie?: SessionCookie;
  /** Present only for a session of the operators' console. It is valid only there, and no other session is valid there. */
  readonly kind?: 'console';
  /**
   * Present only for an app's session: the session that authorized the app, with which it ends, and the session version
   * at that time. `isDetached` is present once the owner, in the app's session, ended all other sessions, the authorizing
   * one included: the app's session goes on without it.
   */
  readonly givenBy?: { readonly id: string; readonly epoch: number; readonly isDetached?: true };
  /** The last used token, and earlier ones whose second use may still be a double click; the newest first. */
  readonly usedTokens: readonly UsedToken[];
  /** Access tokens issued before this time are void; null if none are. Epoch milliseconds, like all times here. */
  readonly tokensFrom: number | null;
  /** The expiry of the current refresh token, or of a session in a cookie that is not used again. */
  readonly refreshExpiresAt: number;
  /** The session's end, however often it is refreshed. */
  readonly endsAt: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly userAgent: string | null;
  readonly address: string;
  /**
   * Set when the session was ended; the record is deleted once its event is delivered. Until then it holds no data about
   * the client: `address` is empty, `userAgent` null.
   */
  readonly endedAt: number | null;
}

/** Fields that version 0.1.0 did not write. */
type AddedField = 'usedTokens' | 'tokensFrom' | 'authenticatedAt' | 'methods';

/**
 * A session of this version or of 0.1.0, which kept one used token, `previousDigest`, exchanged at `rotatedAt`. Its
 * `earlierRotatedAt` is not needed any more.
 */
export type StoredSession = Omit<Session, AddedField> &
  Partial<Pick<Session, AddedField>> & {
    readonly previousDigest?: string | null;
    readonly rotatedAt?: number | null;
    readonly earlierRotatedAt?: number | null;
  };

/**
 * Completes a stored session: a process of 0.1.0 may begin and refresh sessions while this version runs beside it. The members
 * of a complete session keep their order, since stores compare sessions as text.
 */
export const completeSession = (stored: StoredSession): Session => {
  const { previousDigest, rotatedAt, earlierRotatedAt: _, ...session } = stored;
  const lastUsed = previousDigest && rotatedAt ? [{ digest: previousDigest, at: rotatedAt }] : [];
  return {
    ...session,
    usedTokens: [...lastUsed, ...(session.usedTokens ?? [])],
    tokensFrom: session.tokensFrom ?? null,
    authenticatedAt: session.authenticatedAt ?? session.createdAt,
    methods: session.methods ?? [],
  };
};

export type SessionUse = Pick<Session, 'userId' | 'id' | 'lastUsedAt'>;

/**
 * Whether the session is valid: not ended, not expired, and not voided by a change of the account. Such a change spares
 * `keptSession`. With `isKeptRenewed` it spares that session only once it has new tokens.
 */
export const isLive = (
  session: Session,
  account: Pick<Account, 'deletedAt' | 'sessionEpoch' | 'keptSession' | 'isKeptRenewed'>,
  now: number,
): boolean =>
  isOpen(session, now) &&
  account.deletedAt === null &&
  (session.epoch === account.sessionEpoch ||
    (session.id === account.keptSession && account.isKeptRenewed === undefined));

/**
 * Whether a change of the account voided the session and is about to give it a new pair of tokens. Until then the session
 * is not live, but must not be ended.
 */
export const awaitsRenewal = ({ id, epoch }: Session, account: Account): boolean =>
  account.isKeptRenewed === true && id === account.keptSession && epoch < account.sessionEpoch;

/** When the session expires unless it is refreshed: with its refresh token, or at its own end if that is earlier. */
export const expiryOf = ({ refreshExpiresAt, endsAt }: Session): number => Math.min(refreshExpiresAt, endsAt);

/** The fields that ending a session changes. They remove its personal data. */
export const endedFields = (now: number) => ({ endedAt: now, address: '', userAgent: null });

/** Whether an access token belongs to a replaced pair. Its id has the time of issue in milliseconds, `iat` only in seconds. */
export const isReplaced = ({ tokensFrom }: Session, tokenId: string): boolean =>
  tokensFrom !== null && timeOfId(tokenId) < tokensFrom;

/** The time since `time`. A future time was taken before the clock was set back, so it counts as long ago. */
export const timeSince = (time: number, now: number): number =>
  time > now + CLOCK_SET_BACK_MS ? Number.POSITIVE_INFINITY : now - time;

/** Whether the session is open at that time: neither ended nor expired. */
export const isOpen = (session: Session, now: number): boolean =>
  session.endedAt === null && now < expiryOf(session);

/** The session after a new proof; undefined if it was ended. */
export const provedSession = (session: Session, proof: Proof): Session | undefined =>
  session.endedAt === null ? { ...session, ...proof } : undefined;
