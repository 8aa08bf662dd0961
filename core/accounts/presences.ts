import type { Account } from './account.ts';
import type { Session } from './session.ts';

/** A session with the account it belongs to. */
export interface Presence {
  readonly session: Session;
  readonly account: Account;
}

/** Who a session belongs to: what every request with an access token asks. */
export interface Presences {
  /**
   * Both records, ended sessions and tombstones too; undefined where either is missing. May be a second older than the
   * last acknowledged write, never more: what is decided upon and written is read anew from the stores.
   */
  find(userId: string, sessionId: string): Promise<Presence | undefined>;
}

/** Tells all processes whose records were written, for those that keep presences for a while. */
export interface Announcer {
  /** Resolves when it is on its way to the others, or cannot be told now; never rejects. */
  announce(userId: string): Promise<void>;
  /**
   * Calls the listener with each user that is announced, by this process too, and with null where announcements may have
   * been missed.
   */
  onAnnounced(listener: (userId: string | null) => void): void;
  close(): Promise<void>;
}
