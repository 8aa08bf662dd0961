/** Which text a mail has; `messages.ts` writes it. */
export type MailTemplate =
  | 'verify'
  | 'reset'
  | 'password-changed'
  | 'password-set'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'recovery-code-used'
  | 'recovery-codes-renewed'
  | 'session-stolen'
  | 'email-changed'
  | 'email-set'
  | 'account-deleted';

/** A mail to be sent. What is secret in it, such as a code, waits sealed. */
export interface MailEntry {
  readonly kind: 'mail';
  readonly id: string;
  readonly at: number;
  readonly to: string;
  readonly language: string;
  readonly template: MailTemplate;
  /** Plain facts the text names, such as when a registration was replaced. */
  readonly facts: Readonly<Record<string, string>>;
  /** The emailed code, sealed; null when the mail has none. */
  readonly sealedCode: string | null;
}

/** Plain values only: what an audit row shows of a record before and after. */
export type AuditValue = Readonly<Record<string, string | number | boolean | null>>;

/** A row for the audit log. */
export interface AuditEntry {
  readonly kind: 'audit';
  readonly id: string;
  readonly at: number;
  /** A user id, `operator:cli`, `internal`, `provider` (of payments), or `system`. */
  readonly actor: string;
  /** The name of the person who acted as `actor`; absent where nobody at a command line did. */
  readonly person?: string;
  readonly action: string;
  /** The user id it is about. */
  readonly target: string;
  readonly reason: string | null;
  readonly before: AuditValue | null;
  readonly after: AuditValue | null;
  readonly requestId: string | null;
}

export type EventType = 'user.verified' | 'user.deleted' | 'entitlement.changed' | 'session.revoked';

/** Something that happened, for the product around us; delivered at least once, known by its id. */
export interface EventEntry {
  readonly kind: 'event';
  readonly id: string;
  readonly at: number;
  readonly type: EventType;
  readonly userId: string;
  readonly sessionId: string | null;
}

/** Work that a change leaves behind, done by the relay when the process died before doing it. */
export interface TaskEntry {
  readonly kind: 'task';
  readonly id: string;
  readonly at: number;
  readonly task:
    | 'end-sessions'
    | 'end-session'
    | 'remove-object'
    | 'free-domain'
    | 'erase-objects'
    | 'erase-files'
    | 'erase-audit'
    | 'erase-billing'
    | 'erase-mail';
  /** What it is done to beside the account, such as an object's path; null when nothing else. */
  readonly subject: string | null;
  /** When it is to be done where not at once: it failed so many times, or it waits for something to have ended. */
  readonly retry?: { readonly tries: number; readonly from: number; readonly dueAt: number };
}

export type Pending = MailEntry | AuditEntry | EventEntry | TaskEntry;
