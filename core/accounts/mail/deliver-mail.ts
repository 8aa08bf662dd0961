import { backOff } from '../../back-off.ts';
import type { Delivery } from '../../outbox.ts';
import { makeOutboxDispatcher } from '../../outbox-dispatcher.ts';
import type { Deps } from '../deps.ts';
import type { MailEntry } from '../outbox-entries.ts';
import type { Message } from '../ports.ts';
import { makeWriteMessage } from './messages.ts';

/** Returns the mailer's answer. Throws a `TypeError` if it is no `Delivery`: the mailer may be an app's, in JavaScript. */
const checkDelivery = (delivery: Delivery): Delivery => {
  const { outcome, failure, after } = Object(delivery);
  const isRefused = outcome === 'refused' && typeof failure === 'string';
  const isWait = after === null || (typeof after === 'number' && !Number.isNaN(after));
  const isLater = outcome === 'again' && typeof failure === 'string' && isWait;
  if (outcome === 'sent' || isRefused || isLater) return delivery;
  throw new TypeError('The mailer returned no Delivery.');
};

/** Runs one round of sending mails, see `makeOutboxDispatcher`. */
export const makeDeliverMail = (
  deps: Pick<Deps, 'outbox' | 'mailer' | 'mailTexts' | 'sealer' | 'clock' | 'random' | 'log' | 'policy'>,
) => {
  const { outbox, mailer, sealer, random, log, policy } = deps;
  const writeMessage = makeWriteMessage(policy, deps.mailTexts);

  /** Undefined if the code cannot be opened, or the text cannot be written, such as for a template that this version lacks. */
  const write = (mail: MailEntry): Message | undefined => {
    const { id, to, sealedCode } = mail;
    const code = sealedCode === null ? null : sealer.open(sealedCode, `mail:${id}`);
    if (code === undefined) return undefined;
    try {
      return { id, to, ...writeMessage({ ...mail, code }) };
    } catch (error) {
      log.error('mail.unreadable', { id, error });
      return undefined;
    }
  };

  const send = async (mail: MailEntry): Promise<Delivery> => {
    const message = write(mail);
    if (message === undefined) return { outcome: 'refused', failure: 'unreadable' };
    try {
      return checkDelivery(await mailer.send(message));
    } catch {
      // Without the error itself: a mailer's message is likely to name the recipient.
      log.error('mail.mailer_failed', { id: mail.id });
      return { outcome: 'again', after: null, failure: 'mailer_failed' };
    }
  };

  /** In milliseconds: 1, 2, 4 … seconds, give or take a fifth, or the provider's `retryAfter` if longer; at most an hour. */
  const waitAfter = (attempts: number, retryAfter: number | null) => {
    const { mailRetryFirstMs: first, mailRetryLongestMs: longest } = policy;
    const backOffMs = backOff(random, { first, longest }, attempts);
    return Math.min(Math.max(backOffMs, Math.ceil(retryAfter ?? 0)), longest);
  };

  return makeOutboxDispatcher<MailEntry>(deps, {
    outbox,
    name: 'mail',
    // A mail that waits for its next try does not hold up the later mails to its address.
    inOrder: false,
    parallel: 8,
    send,
    nextTry: ({ entry, tries }, retryAfter, now) => {
      const giveUpAt = entry.at + policy.mailGiveUpMs;
      return now >= giveUpAt ? null : Math.min(now + waitAfter(tries, retryAfter), giveUpAt);
    },
  });
};
