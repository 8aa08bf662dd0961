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
