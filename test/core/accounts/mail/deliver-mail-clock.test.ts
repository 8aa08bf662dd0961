import { expect } from 'chai';
import type { Delivery } from '../../../../core/accounts/ports.ts';
import { NOW } from '../../../contracts/samples.ts';
import { useOutbox } from './use-outbox.ts';

const BACK = NOW - 3 * 3_600_000;
const AGAIN: Delivery = { outcome: 'again', after: 60_000, failure: 'throttled' };

describe('Delivering mail by a clock that is set back', () => {
  const { outbox, add, open } = useOutbox();

  it('sends a mail at once that was made before', async () => {
    await add('made', 'made@example.com');
    const { clock, deliver } = open();
    clock.set(BACK);
    expect(await deliver(1)).to.equal(1);
  });

  it('tries one again at once that was told to wait before, and then waits as long as any', async () => {
    await add('failed', 'failed@example.com');
    const { attempts, clock, deliver } = open(() => AGAIN);
    await deliver(1);
    clock.set(NOW + 30_000);
    await deliver(1);
    expect(attempts, 'not yet by a clock that goes on').to.have.length(1);
    clock.set(BACK);
    for (const tries of [2, 2]) {
      await deliver(1);
      expect(attempts).to.have.length(tries);
    }
    const [waiting] = await outbox().listFor('failed@example.com');
    expect(waiting).to.include({ waitsFrom: BACK, dueAt: BACK + 60_000 });
    clock.set(BACK + 60_000);
    await deliver(1);
    expect(attempts).to.have.length(3);
  });
});
