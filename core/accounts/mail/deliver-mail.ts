import { backOff } from '../../back-off.ts';
import { makeDeliver } from '../../deliver.ts';
import type { Delivery } from '../../outbox.ts';
import type { Needs } from '../needs.ts';
import type { MailEntry } from '../pending.ts';
import type { Message } from '../ports.ts';
import { makeWriteMessage } from './messages.ts';

/**
 * One round of sending mails, see `makeDeliver`. Mails of an address go in order, save that one that fails holds up no
 * other.
 */
export const makeDeliverMail = (
  needs: Pick<Needs, 'outbox' | 'mailer' | 'mailTexts' | 'sealer' | 'clock' | 'random' | 'log' | 'policy'>,
) => {
  const { outbox, mailer, sealer, random, log, policy } = needs;
  const writeMessage = makeWriteMessage(policy, needs.mailTexts);

  /** Undefined when the code cannot be opened, or the text is one that this version does not know. */
  const write = (mail: MailEntry): Message | undefined => {
    const { id, to, template, language, facts, sealedCode } = mail;
    const code = sealedCode === null ? null : sealer.open(sealedCode, `mail:${id}`);
    if (code === undefined) return undefined;
    try {
      return { id, to, ...writeMessage({ template, language, facts, code }) };
    } catch (error) {
      log.error('mail.unreadable', { id, error });
      return undefined;
    }
  };

  const send = async (mail: MailEntry): Promise<Delivery> => {
    const message = write(mail);
    if (message === undefined) return { outcome: 'refused', failure: 'unreadable' };
    try {
      return await mailer.send(message);
    } catch {
      // Not the error itself: what a mailer says of it is likely to name the recipient.
      log.error('mail.mailer_failed', { id: mail.id });
      return { outcome: 'again', after: null, failure: 'mailer_failed' };
    }
  };

  /** Milliseconds: 1, 2, 4 … s, a fifth more or less, or what the provider asked for when that is longer. */
  const waitAfter = (tries: number, asked: number | null) => {
    const [first, longest] = [policy.mailRetryFirst, policy.mailRetryLongest];
    return Math.min(Math.max(backOff(random, { first, longest }, tries), asked ?? 0), longest);
  };

  return makeDeliver<MailEntry>(needs, {
    outbox,
    name: 'mail',
    inOrder: false,
    send,
    nextTry: ({ entry, tries }, asked, now) => {
      const end = entry.at + policy.mailGiveUp;
      return now >= end ? null : Math.min(now + waitAfter(tries, asked), end);
    },
  });
};
