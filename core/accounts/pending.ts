import type { EventType, Happened } from '../events.ts';
import type { NewId } from '../ids.ts';
import type { Clock, Sealer } from '../ports.ts';

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
  | 'email-change-code'
  | 'email-change-asked'
  | 'email-changed'
  | 'email-set'
  | 'welcome-by-provider'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied'
  | 'identity-linked'
  | 'identity-unlinked'
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
  /** The client address of an operator; absent where nobody acted over HTTP as one. */
  readonly address?: string;
}

/** An event for the product around us. */
export interface EventEntry extends Happened {
  readonly kind: 'event';
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
    | 'free-key'
    | 'erase-objects'
    | 'erase-files'
    | 'erase-audit'
    | 'erase-billing'
    | 'erase-mail';
  /** The task's object, such as a path; null if it is the account alone. */
  readonly subject: string | null;
  /** When to run it, unless at once: a retry, or a task that waits for something to end. */
  readonly retry?: { readonly tries: number; readonly from: number; readonly dueAt: number };
}

export type Pending = MailEntry | AuditEntry | EventEntry | TaskEntry;

/** Makes the outbox entries of a change. */
export const makeEntries = ({
  clock,
  newId,
  sealer,
}: {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly sealer: Sealer;
}) => {
  const stamp = () => ({ id: newId(), at: clock.now() });
  return {
    mail(
      account: { readonly email: string; readonly language: string },
      template: MailTemplate,
      facts: Readonly<Record<string, string>> = {},
      code: string | null = null,
    ): MailEntry {
      const { id, at } = stamp();
      const sealedCode = code === null ? null : sealer.seal(code, `mail:${id}`);
      return {
        kind: 'mail',
        id,
        at,
        to: account.email,
        language: account.language,
        template,
        facts,
        sealedCode,
      };
    },
    audit(given: {
      readonly action: string;
      readonly actor: string;
      readonly person?: string;
      readonly target: string;
      readonly reason?: string;
      readonly before?: AuditValue;
      readonly after?: AuditValue;
      readonly caller: { readonly requestId: string | null } | null;
      readonly address?: string;
    }): AuditEntry {
      return {
        kind: 'audit',
        ...stamp(),
        actor: given.actor,
        ...(given.person !== undefined && { person: given.person }),
        action: given.action,
        target: given.target,
        reason: given.reason ?? null,
        before: given.before ?? null,
        after: given.after ?? null,
        requestId: given.caller?.requestId ?? null,
        ...(given.address !== undefined && { address: given.address }),
      };
    },
    event: (type: EventType, userId: string, sessionId: string | null = null): EventEntry => ({
      kind: 'event',
      ...stamp(),
      type,
      userId,
      sessionId,
    }),
    task: (task: TaskEntry['task'], subject: string | null = null): TaskEntry => ({
      kind: 'task',
      ...stamp(),
      task,
      subject,
    }),
    /** The same, due after a delay in milliseconds. */
    taskIn(wait: number, task: TaskEntry['task'], subject: string | null): TaskEntry {
      const { id, at } = stamp();
      return { kind: 'task', id, at, task, subject, retry: { tries: 0, from: at, dueAt: at + wait } };
    },
  };
};

export type Entries = ReturnType<typeof makeEntries>;

/** What an app hears of an account that was made for a user. */
export const createdEvents = (
  { entries }: { readonly entries: Entries },
  { id, verified }: { readonly id: string; readonly verified: boolean },
): readonly EventEntry[] => [
  entries.event('user.created', id),
  ...(verified ? [entries.event('user.verified', id)] : []),
];

/** The record with more outbox entries. */
export const withPending = <T extends { readonly pending: readonly Pending[] }>(
  record: T,
  ...entries: readonly Pending[]
): T => ({ ...record, pending: [...record.pending, ...entries] });
