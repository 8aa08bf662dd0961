import { backOff } from '../../back-off.ts';
import type { Needs } from '../needs.ts';
import type { Delivery, Message, OutboxMail } from '../ports.ts';
import { writeMessage } from './messages.ts';

const ADDRESSES_A_ROUND = 100;
const AT_ONCE = 8;
/** Milliseconds after which a mail on its way no longer counts among those, so that it holds up no other; up to a bound. */
const SLOW = 1_000;
const MOST_AT_ONCE = 16;
/** Milliseconds after which a round begins no more mails, so that it ends well within the lease. */
const ROUND = 5_000;
/** So many addresses in a row with the same passing failure mean that the provider is down. */
const IN_A_ROW = 5;

/** Tells by the outcomes whether it is the provider that fails, not this or that mailbox. */
const makeProviderWatch = () => {
  let kind = '';
  const addresses = new Set<string>();
  return {
    isDown: () => addresses.size >= IN_A_ROW,
    note(address: string, delivery: Delivery) {
      const failure = delivery.outcome === 'again' ? delivery.failure : '';
      if (failure !== kind) addresses.clear();
      kind = failure;
      if (failure !== '') addresses.add(address);
    },
  };
};

/** Also when the clock was set back after it was told to wait. */
const isDue = ({ dueAt, waitsFrom }: OutboxMail, now: number): boolean => dueAt <= now || waitsFrom > now;

/** The mails up to the newest that is due, oldest first: what waits for another try goes before what came later. */
const upToNewestDue = (mails: readonly OutboxMail[], now: number): readonly OutboxMail[] =>
  mails.slice(0, mails.findLastIndex((mail) => isDue(mail, now)) + 1);

/** Addresses that are being delivered to, with the times at which their latest mails set out. */
const makeOnTheWay = () => {
  const since = new Map<string, number>();
  return {
    has: (address: string) => since.has(address),
    count: () => since.size,
    note: (address: string, now: number) => since.set(address, now),
    drop: (address: string) => since.delete(address),
    /** How many more may set out. A time to come is from before the clock was set back. */
    room: (now: number) => {
      const fresh = [...since.values()].filter((time) => time > now - SLOW && time <= now).length;
      return Math.min(AT_ONCE - fresh, MOST_AT_ONCE - since.size);
    },
  };
};

/**
 * One round of sending what is due in the outbox, under the lease whose `fence` is given; answers how many mails
 * were sent. Each address gets its mails in order, save that a mail that fails holds up no other. A round may begin
 * while others last: it leaves to them the addresses that they are at.
 * See decision 0037.
 */
export const makeDeliverMail = (
  needs: Pick<Needs, 'outbox' | 'mailer' | 'sealer' | 'clock' | 'random' | 'log' | 'policy'>,
) => {
  const { outbox, mailer, sealer, clock, random, log, policy } = needs;

  /** Undefined when the code cannot be opened, or the text is one that this version does not know. */
  const write = ({ mail }: OutboxMail): Message | undefined => {
    const { id, to, template, language, facts, sealedCode } = mail;
    const code = sealedCode === null ? null : sealer.open(sealedCode, `mail:${id}`);
    if (code === undefined) return undefined;
    try {
      const { productName } = policy;
      return { id, to, ...writeMessage({ template, language, facts, code, productName }) };
    } catch (error) {
      log.error('mail.unreadable', { id, error });
      return undefined;
    }
  };

  const send = async (message: Message): Promise<Delivery> => {
    try {
      return await mailer.send(message);
    } catch {
      // Not the error itself: what a mailer says of it is likely to name the recipient.
      log.error('mail.mailer_failed', { id: message.id });
      return { outcome: 'again', after: null, failure: 'mailer_failed' };
    }
  };

  /** Milliseconds: 1, 2, 4 … s, a fifth more or less, or what the provider asked for when that is longer. */
  const waitAfter = (tries: number, asked: number | null) => {
    const [first, longest] = [policy.mailRetryFirst, policy.mailRetryLongest];
    return Math.min(Math.max(backOff(random, { first, longest }, tries), asked ?? 0), longest);
  };

  const giveUp = async ({ mail, userId }: OutboxMail, failure: string) => {
    await outbox.bury(mail.id, clock.now(), failure);
    log.warn('mail.given_up', { id: mail.id, userId, reason: failure });
  };

  const postpone = async (waiting: OutboxMail, asked: number | null, failure: string) => {
    const { mail, userId, tries } = waiting;
    const now = clock.now();
    const end = mail.at + policy.mailGiveUp;
    if (now >= end) return giveUp(waiting, failure);
    const until = Math.min(now + waitAfter(tries, asked), end);
    await outbox.postpone(mail.id, { from: now, until }, failure);
    log.info('mail.postponed', { id: mail.id, userId, reason: failure });
  };

  const onTheWay = makeOnTheWay();

  return async (fence: number): Promise<number> => {
    const provider = makeProviderWatch();
    let sent = 0;

    const deliver = async (waiting: OutboxMail) => {
      const { mail, userId } = waiting;
      if (!(await outbox.claim(mail.id, fence))) return;
      const message = write(waiting);
      if (message === undefined) return giveUp(waiting, 'unreadable');
      onTheWay.note(mail.to, clock.now());
      const delivery = await send(message);
      provider.note(mail.to, delivery);
      if (delivery.outcome === 'again') return postpone(waiting, delivery.after, delivery.failure);
      if (delivery.outcome === 'refused') return giveUp(waiting, delivery.failure);
      await outbox.remove(mail.id);
      sent += 1;
      log.info('mail.sent', { id: mail.id, userId });
    };

    const end = clock.now() + ROUND;
    const isOver = () => provider.isDown() || clock.now() >= end;
    const deliverAll = async (address: string) => {
      for (const waiting of upToNewestDue(await outbox.listFor(address), clock.now())) {
        if (isOver()) return;
        await deliver(waiting);
      }
    };

    const room = onTheWay.room(clock.now());
    if (room <= 0) return 0;
    const due = await outbox.listDue(clock.now(), ADDRESSES_A_ROUND + onTheWay.count());
    // One iterator that all share: each takes the next address as soon as it is done with one.
    const addresses = due.values();
    const work = async () => {
      for (const address of addresses) {
        if (isOver()) return;
        if (onTheWay.has(address)) continue;
        onTheWay.note(address, clock.now());
        try {
          await deliverAll(address);
        } finally {
          onTheWay.drop(address);
        }
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: room }, work));
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
    return sent;
  };
};
