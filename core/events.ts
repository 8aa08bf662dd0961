/** What an app hears of. */
export type EventType =
  | 'user.created'
  | 'user.verified'
  | 'user.email_changed'
  | 'user.banned'
  | 'user.deleted'
  | 'entitlement.changed'
  | 'session.revoked';

/** Something that happened to a user. It says what to look at anew, and not how it is now: that may have changed since. */
export interface Happened {
  /** The same when it is told again. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: EventType;
  readonly userId: string;
  /** The session that ended; null for other events. */
  readonly sessionId: string | null;
}

/** Hears what happened, at least once each; throws to be told again. */
export interface Events {
  publish(event: Happened): Promise<void>;
}
