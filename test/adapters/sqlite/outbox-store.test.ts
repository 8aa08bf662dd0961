import { expect } from 'chai';
import { makeSqlWebhookStore } from '../../../adapters/sql/outbox-store.ts';
import { NOW, sampleDelivery } from '../../contracts/samples.ts';
import { makeStoreOpener } from './open-store.ts';

describe('The count of an outbox in SQLite', () => {
  const open = makeStoreOpener(makeSqlWebhookStore);

  it('includes a waiting delivery behind 2,001 dead deliveries', async () => {
    const { store, close } = await open();
    const dead = Array.from({ length: 2_001 }, (_, place) => `a${place}`);
    // Batches stay below the number of units that the writer accepts at once.
    for (let start = 0; start < dead.length; start += 1_000) {
      const batch = dead.slice(start, start + 1_000);
      await Promise.all(batch.map((id) => store.add('user', sampleDelivery(id))));
      await Promise.all(batch.map((id) => store.bury(id, NOW, 'gone')));
    }
    await store.add('user', sampleDelivery('b', { at: NOW - 5 }));
    const { endpoint: group } = sampleDelivery('b');
    expect(await store.count()).to.have.deep.members([
      { group, state: 'dead', count: 2_001, oldestAt: NOW },
      { group, state: 'waiting', count: 1, oldestAt: NOW - 5 },
    ]);
    await close();
  });
});
