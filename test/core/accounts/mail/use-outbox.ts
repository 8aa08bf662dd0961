import { makeSealer } from '../../../../adapters/crypto/sealer.ts';
import { makeSqlOutboxStore } from '../../../../adapters/sql/outbox-store.ts';
import { makeDeliverMail } from '../../../../core/accounts/mail/deliver-mail.ts';
import { noMailTexts } from '../../../../core/accounts/mail/mail-texts.ts';
import type { MailEntry } from '../../../../core/accounts/outbox-entries.ts';
import { defaultAccountsPolicy as policy } from '../../../../core/accounts/policy.ts';
import type { Delivery, Message, OutboxStore } from '../../../../core/accounts/ports.ts';
import { makeStoreOpener } from '../../../adapters/sqlite/open-store.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { NOW, sampleMail } from '../../../contracts/samples.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';

export const SENT: Delivery = { outcome: 'sent' };

export const sealer = makeSealer([new Uint8Array(32).fill(7)]);

/** A new outbox for each test of the suite, and delivery rounds from it. */
export const useOutbox = () => {
  let outbox: OutboxStore;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ store: outbox, close } = await makeStoreOpener(makeSqlOutboxStore)());
  });
  afterEach(() => close());

  return {
    outbox: () => outbox,
    /** Adds a mail with a code, created this long after `NOW`. */
    add: (id: string, to: string, laterMs = 0, differences: Partial<MailEntry> = {}) =>
      outbox.add(
        'user',
        sampleMail(id, {
          to,
          at: NOW + laterMs,
          facts: { minutes: '15' },
          sealedCode: sealer.seal('123456', `mail:${id}`),
          ...differences,
        }),
      ),
    /** Delivery in a process whose mailer returns what `answer` does; `attempts` holds the ids in order. */
    open: (answer: (message: Message) => Delivery | Promise<Delivery> = () => SENT, byte = 128) => {
      const attempts: string[] = [];
      const messages: Message[] = [];
      const clock = makeSettableClock();
      const log = makeRecordingLog();
      const mailer = {
        async send(message: Message) {
          attempts.push(message.id);
          messages.push(message);
          return answer(message);
        },
      };
      const random = { bytes: () => Uint8Array.of(byte), text: () => '' };
      const ports = { outbox, sealer, clock, log, mailer, random, mailTexts: noMailTexts, policy };
      return { deliver: makeDeliverMail(ports), attempts, messages, clock, log };
    },
  };
};
