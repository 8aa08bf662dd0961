import type { MailEntry } from '../../../core/accounts/outbox-entries.ts';
import type { OutboxItem, Sendable } from '../../../core/outbox.ts';
import type { WebhookEntry } from '../../../core/webhooks/ports.ts';
import type { IdempotentDocument } from '../engine/idempotent-writes.ts';
import { integer, text } from '../engine/scalars.ts';

/** The document of an entry in an outbox. */
export interface OutboxDocument<Entry extends Sendable = Sendable> extends IdempotentDocument {
  readonly _id: string;
  readonly userId: string;
  /** The entry. The name dates from when all entries were mails. */
  readonly mail: Omit<Entry, 'id'>;
  readonly tries: number;
  /** The fence of the latest claim; 0 before the first. */
  readonly fence: number;
  readonly dueAt: number;
  /** When the entry was last postponed; when it was created, if it never was. */
  readonly waitsFrom: number;
  readonly deadAt: number | null;
  readonly lastFailure: string | null;
}

export type MailDocument = OutboxDocument<MailEntry>;
export type WebhookDocument = OutboxDocument<WebhookEntry>;

/** The document of an outbox item, without the idempotency key of its write. */
export const documentOf = <Entry extends Sendable>({
  entry: { id, ...entry },
  ...state
}: OutboxItem<Entry>): Omit<OutboxDocument<Entry>, 'write'> => ({
  _id: text(id),
  ...state,
  // `text` and `integer` return their value unchanged, and throw if it has another type.
  userId: text(state.userId),
  dueAt: integer(state.dueAt),
  mail: { ...entry, to: text(entry.to) },
  fence: 0,
});

export const outboxItemOf = <Entry extends Sendable>({
  _id: id,
  userId,
  mail,
  tries,
  dueAt,
  waitsFrom,
  deadAt,
  lastFailure,
}: OutboxDocument<Entry>): OutboxItem<Entry> => ({
  // The compiler cannot tell that an entry without its id, plus the id, is an entry.
  entry: { ...mail, id } as Entry,
  userId,
  tries,
  dueAt,
  waitsFrom,
  deadAt,
  lastFailure,
});
