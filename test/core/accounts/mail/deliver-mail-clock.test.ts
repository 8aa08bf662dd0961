import { expect } from 'chai';
import type { Delivery } from '../../../../core/accounts/ports.ts';
import { NOW } from '../../../contracts/samples.ts';
import { useOutbox } from './use-outbox.ts';

const EARLIER = NOW - 3 * 3_600_000;
const RETRY: Delivery = { outcome: 'again', after: 60_000, failure: 'throttled' };

describe('Mail delivery after the clock is set back', () => {
  const { outbox, add, open } = useOutbox();

  it('sends a mail from before the change at once', async () => {
    await add('made', 'made@example.com');
    const { clock, deliver } = open();
    clock.set(EARLIER);
    expect(await deliver(1)).to.equal(1);
  });

  it('retries a postponed mail at once, and then after the usual time', async () => {
    await add('failed', 'failed@example.com');
    const { attempts, clock, deliver } = open(() => RETRY);
    await deliver(1);
    clock.set(NOW + 30_000);
    await deliver(1);
    expect(attempts, 'before the clock is set back').to.have.length(1);
    clock.set(EARLIER);
    for (const tries of [2, 2]) {
      await deliver(1);
      expect(attempts).to.have.length(tries);
    }
    const [postponed] = await outbox().listFor('failed@example.com');
    expect(postponed).to.include({ waitsFrom: EARLIER, dueAt: EARLIER + 60_000 });
    clock.set(EARLIER + 60_000);
    await deliver(1);
    expect(attempts).to.have.length(3);
  });
});
