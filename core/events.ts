/** The types of events that apps receive. */
export type EventType =
  | 'user.created'
  | 'user.verified'
  | 'user.email_changed'
  | 'user.banned'
  | 'user.deleted'
  | 'entitlement.changed'
  | 'session.revoked';

/** An event about a user. It names what changed, not the new state, which may have changed again since. */
export interface UserEvent {
  /** A repeated event has the same id. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: EventType;
  readonly userId: string;
  /** The session that ended; null for other events. */
  readonly sessionId: string | null;
}

/** Receives each event at least once. If `publish` throws, it is called again later. `createGatehouse` waits 30 s for a call. */
export interface Events {
  publish(event: UserEvent): Promise<void>;
}
