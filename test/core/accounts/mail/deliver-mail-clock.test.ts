import { expect } from 'chai';
import { makeSqlOutboxStore } from '../../../../adapters/sql/outbox-store.ts';
import { makeDeliverMail } from '../../../../core/accounts/mail/deliver-mail.ts';
import { noMailTexts } from '../../../../core/accounts/mail/mail-texts.ts';
import { defaultAccountsPolicy as policy } from '../../../../core/accounts/policy.ts';
import type { Delivery, OutboxStore } from '../../../../core/accounts/ports.ts';
import { openedStore } from '../../../adapters/sqlite/opened.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { NOW, sampleMail } from '../../../contracts/samples.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';

const BACK = NOW - 3 * 3_600_000;
const AGAIN: Delivery = { outcome: 'again', after: 60_000, failure: 'throttled' };

describe('Delivering mail by a clock that is set back', () => {
  let outbox: OutboxStore;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ store: outbox, close } = await openedStore(makeSqlOutboxStore)());
  });
  afterEach(() => close());

  const add = (id: string) =>
    outbox.add(
      'user',
      sampleMail(id, { to: `${id}@example.com`, template: 'account-deleted', sealedCode: null }),
    );

  /** Rounds of a process whose mails all meet with this. */
  const open = (delivery: Delivery) => {
    const attempts: string[] = [];
    const clock = makeSettableClock();
    const mailer = {
      send: async ({ id }: { readonly id: string }) => {
        attempts.push(id);
        return delivery;
      },
    };
    const random = { bytes: () => Uint8Array.of(128), text: () => '' };
    const sealer = { seal: (text: string) => text, open: (text: string) => text };
    const log = makeRecordingLog();
    const deliver = makeDeliverMail({
      mailTexts: noMailTexts,
      outbox,
      mailer,
      clock,
      random,
      sealer,
      log,
      policy,
    });
    return { attempts, clock, deliver };
  };

  it('sends a mail at once that was made before', async () => {
    await add('made');
    const { clock, deliver } = open({ outcome: 'sent' });
    clock.set(BACK);
    expect(await deliver(1)).to.equal(1);
  });

  it('tries one again at once that was told to wait before, and then waits as long as any', async () => {
    await add('failed');
    const { attempts, clock, deliver } = open(AGAIN);
    await deliver(1);
    clock.set(NOW + 30_000);
    await deliver(1);
    expect(attempts, 'not yet by a clock that goes on').to.have.length(1);
    clock.set(BACK);
    for (const tries of [2, 2]) {
      await deliver(1);
      expect(attempts).to.have.length(tries);
    }
    const [waiting] = await outbox.listFor('failed@example.com');
    expect(waiting).to.include({ waitsFrom: BACK, dueAt: BACK + 60_000 });
    clock.set(BACK + 60_000);
    await deliver(1);
    expect(attempts).to.have.length(3);
  });
});
