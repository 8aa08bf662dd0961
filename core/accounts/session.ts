import type { Account } from './account.ts';

/** A login on one device: one record that holds its current and its previous refresh token's digest. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  /** The account's session epoch when it began. */
  readonly epoch: number;
  /** SHA-256 of the refresh token that may be used next. */
  readonly refreshDigest: string;
  /** SHA-256 of the one used last, null before the first use. */
  readonly previousDigest: string | null;
  /** Epoch milliseconds, like every time in here. */
  readonly rotatedAt: number | null;
  /** When the rotation before that was: tokens older than the previous one were used by then. */
  readonly earlierRotatedAt: number | null;
  /** The current refresh token's end. */
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

/** Whether the session may still be used: not ended, not expired, and not cut off by a change of the account. */
export const isLive = (session: Session, account: Account, now: number): boolean =>
  session.endedAt === null &&
  account.deletedAt === null &&
  now < session.endsAt &&
  now < session.refreshExpiresAt &&
  (session.epoch === account.sessionEpoch || session.id === account.keptSession);
