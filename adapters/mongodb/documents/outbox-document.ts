import type { MailEntry } from '../../../core/accounts/pending.ts';
import type { Sendable, Waiting } from '../../../core/outbox.ts';
import type { WebhookEntry } from '../../../core/webhooks/ports.ts';
import type { Written } from '../engine/idempotent-writes.ts';
import { text, whole } from '../engine/scalars.ts';

/** An entry of an outbox. */
export interface WaitingDocument<Entry extends Sendable = Sendable> extends Written {
  readonly _id: string;
  readonly userId: string;
  /** The entry, under the name that it has since mails were the only ones. Its members are those of the code. */
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

/** The document of a waiting entry, all but the mark of its write. */
export const documentOf = <Entry extends Sendable>({
  entry: { id, ...entry },
  ...waiting
}: Waiting<Entry>): Omit<WaitingDocument<Entry>, 'write'> => ({
  _id: text(id),
  ...waiting,
  userId: text(waiting.userId),
  dueAt: whole(waiting.dueAt),
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
  // The compiler does not see that an entry without its id, and the id, are an entry.
  return { entry: { ...mail, id } as Entry, userId, tries, dueAt, waitsFrom, deadAt, lastFailure };
};
