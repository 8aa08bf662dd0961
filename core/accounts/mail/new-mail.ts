import type { MailEntry } from '../pending.ts';
import type { OutboxMail } from '../stores.ts';

/** A mail as it enters the outbox: due at once. */
export const newMail = (userId: string, mail: MailEntry): OutboxMail => ({
  mail,
  userId,
  tries: 0,
  dueAt: mail.at,
  waitsFrom: mail.at,
  deadAt: null,
  lastFailure: null,
});
