import type { MailEntry } from '../../../core/accounts/outbox-entries.ts';
import type { Sendable, Waiting } from '../../../core/outbox.ts';
import type { WebhookEntry } from '../../../core/webhooks/ports.ts';
import type { IdempotentDocument } from '../engine/idempotent-writes.ts';
import { integer, text } from '../engine/scalars.ts';

/** An entry of an outbox. */
export interface WaitingDocument<Entry extends Sendable = Sendable> extends IdempotentDocument {
  readonly _id: string;
  readonly userId: string;
  /** The entry. The name dates from when all entries were mails. */
  readonly mail: Omit<Entry, 'id'>;
  readonly tries: number;
  /** The fence of the latest claim; 0 before the first. */
  readonly fence: number;
  readonly dueAt: number;
  readonly waitsFrom: number;
  readonly deadAt: number | null;
  readonly lastFailure: string | null;
}

export type MailDocument = WaitingDocument<MailEntry>;
export type WebhookDocument = WaitingDocument<WebhookEntry>;

/** The document of a waiting entry, without the idempotency key of its write. */
export const documentOf = <Entry extends Sendable>({
  entry: { id, ...entry },
  ...waiting
}: Waiting<Entry>): Omit<WaitingDocument<Entry>, 'write'> => ({
  _id: text(id),
  ...waiting,
  userId: text(waiting.userId),
  dueAt: integer(waiting.dueAt),
  mail: { ...entry, to: text(entry.to) },
  fence: 0,
});

export const waitingOf = <Entry extends Sendable>({
  _id: id,
  userId,
  mail,
  tries,
  ...times
}: WaitingDocument<Entry>): Waiting<Entry> => {
  const { dueAt, waitsFrom, deadAt, lastFailure } = times;
  // The compiler cannot tell that an entry without its id, plus the id, is an entry.
  return { entry: { ...mail, id } as Entry, userId, tries, dueAt, waitsFrom, deadAt, lastFailure };
};
