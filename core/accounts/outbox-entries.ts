import type { EventType, UserEvent } from '../events.ts';
import type { NewId } from '../ids.ts';
import { isoTime } from '../iso-times.ts';
import type { Clock, Sealer } from '../ports.ts';

/** The template of a mail; `mail/english.ts` and `mail/polish.ts` have the texts. */
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
  | 'app-signed-in'
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
  | 'operator-appointed'
  | 'operator-dismissed'
  | 'operators-changed'
  | 'account-deletion-waits'
  | 'account-deleted';

/** A mail to send. A code in it stays sealed until the relay sends the mail. */
export interface MailEntry {
  readonly kind: 'mail';
  readonly id: string;
  readonly at: number;
  /** The user the mail belongs to, if that is not the account whose change sends it. */
  readonly userId?: string;
  readonly to: string;
  readonly language: string;
  readonly template: MailTemplate;
  /** Plain facts for the text, such as when a registration was replaced. */
  readonly facts: Readonly<Record<string, string>>;
  /** The emailed code, sealed; null when the mail has none. */
  readonly sealedCode: string | null;
}

/** The values of a record that an audit row shows before and after a change; plain values only. */
export type AuditValue = Readonly<Record<string, string | number | boolean | null>>;

/** A row for the audit log. */
export interface AuditEntry {
  readonly kind: 'audit';
  readonly id: string;
  readonly at: number;
  /** A user id, `operator:cli`, `internal`, `provider` (of payments), or `system`. */
  readonly actor: string;
  /** The name of the person who acted as `actor` at the command line; absent otherwise. */
  readonly person?: string;
  readonly action: string;
  /** The id of the user whom the row is about, or a name such as `outbox`. */
  readonly target: string;
  readonly reason: string | null;
  readonly before: AuditValue | null;
  readonly after: AuditValue | null;
  readonly requestId: string | null;
  /** The client address of an operator who acted over HTTP; absent otherwise. */
  readonly address?: string;
}

/** An event for the embedding product. */
export interface EventEntry extends UserEvent {
  readonly kind: 'event';
}

/** Work that follows a change. The relay does it, and does it again if the process died meanwhile. */
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
    | 'erase-mail'
    | 'change-billing-email'
    | 'finish-deletion';
  /** The task's object, such as a path; null if it is the account alone. */
  readonly subject: string | null;
  /** For a retry or a delayed task: attempts so far, when the delay began, and when the task is due. Absent: due at once. */
  readonly retry?: { readonly tries: number; readonly from: number; readonly dueAt: number };
}

export type Pending = MailEntry | AuditEntry | EventEntry | TaskEntry;

interface Recipient {
  readonly email: string;
  readonly language: string;
}

/** Makes the outbox entries of a change. */
export const makeEntries = ({ clock, newId, sealer }: { clock: Clock; newId: NewId; sealer: Sealer }) => {
  const stamp = () => ({ id: newId(), at: clock.now() });
  const mail = (
    { email: to, language }: Recipient,
    template: MailTemplate,
    facts: Readonly<Record<string, string>> = {},
    code: string | null = null,
  ): MailEntry => {
    const { id, at } = stamp();
    const sealedCode = code === null ? null : sealer.seal(code, `mail:${id}`);
    return { kind: 'mail', id, at, to, language, template, facts, sealedCode };
  };
  const audit = (fields: {
    readonly action: string;
    readonly actor: string;
    readonly person?: string;
    readonly target: string;
    readonly reason?: string;
    readonly before?: AuditValue;
    readonly after?: AuditValue;
    readonly caller: { readonly requestId: string | null } | null;
    readonly address?: string;
  }): AuditEntry => ({
    kind: 'audit',
    ...stamp(),
    actor: fields.actor,
    ...(fields.person !== undefined && { person: fields.person }),
    action: fields.action,
    target: fields.target,
    reason: fields.reason ?? null,
    before: fields.before ?? null,
    after: fields.after ?? null,
    requestId: fields.caller?.requestId ?? null,
    ...(fields.address !== undefined && { address: fields.address }),
  });

  return {
    mail,
    /** A mail about what a caller did, with time and address. */
    notice: (
      account: Recipient,
      template: MailTemplate,
      { address }: { readonly address: string },
      facts: Readonly<Record<string, string>> = {},
      code: string | null = null,
    ): MailEntry => mail(account, template, { at: isoTime(clock.now()), address, ...facts }, code),
    audit,
    /** The audit row of what users do to their own accounts. */
    ownAudit: (
      userId: string,
      action: string,
      caller: { readonly requestId: string | null } | null,
      facts: { readonly before?: AuditValue; readonly after?: AuditValue } = {},
    ): AuditEntry => audit({ action, actor: userId, target: userId, ...facts, caller }),
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
    /** A task that is due after a delay. */
    taskIn(delayMs: number, task: TaskEntry['task'], subject: string | null): TaskEntry {
      const { id, at } = stamp();
      return { kind: 'task', id, at, task, subject, retry: { tries: 0, from: at, dueAt: at + delayMs } };
    },
  };
};

export type Entries = ReturnType<typeof makeEntries>;

/** The events about an account that was created for a user. */
export const createdEvents = (
  { entries }: { readonly entries: Entries },
  { id, verified }: { readonly id: string; readonly verified: boolean },
): readonly EventEntry[] => [
  entries.event('user.created', id),
  ...(verified ? [entries.event('user.verified', id)] : []),
];

/** What a change of the email leaves to do. The payment provider keeps the email of each customer. */
export const emailChangedEntries = (
  { entries }: { readonly entries: Entries },
  { id, billing }: { readonly id: string; readonly billing: object | null },
): readonly (EventEntry | TaskEntry)[] => [
  entries.event('user.email_changed', id),
  ...(billing === null ? [] : [entries.task('change-billing-email')]),
];

export const withPending = <T extends { readonly pending: readonly Pending[] }>(
  record: T,
  ...entries: readonly Pending[]
): T => ({ ...record, pending: [...record.pending, ...entries] });
