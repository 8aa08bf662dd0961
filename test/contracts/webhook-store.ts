import { expect } from 'chai';
import type { WebhookStore } from '../../core/webhooks/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { testOutbox } from './outbox.ts';
import { race } from './race.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleDelivery } from './samples.ts';

export const webhookStoreContract = (name: string, open: () => Promise<Opened<WebhookStore>>): void => {
  const openOutbox = async () => {
    const { store, close } = await open();
    return {
      store: { ...store, listDue: (now: number, limit: number) => store.listDue(now, limit, 'endpoint') },
      close,
    };
  };
  testOutbox(`${name} as an outbox of webhook deliveries`, openOutbox, sampleDelivery);

  describe(`${name} as a webhook store`, () => {
    const store = storeForEachTest(open);

    it('lists due deliveries of one endpoint only', async () => {
      for (const endpoint of ['one', 'two', 'three']) {
        const to = `${endpoint} user`;
        await store.add('user', sampleDelivery(`a ${endpoint}`, { endpoint, to }));
        await store.postpone(`a ${endpoint}`, { from: NOW + 5, until: NOW + 9 }, 'timeout');
      }
      expect(await store.listDue(NOW + 9, 9, 'two')).to.deep.equal(['two user']);
      // The wait of this delivery starts in the future.
      expect(await store.listDue(NOW, 9, 'three')).to.deep.equal(['three user']);
      expect(await store.listDue(NOW + 9, 9, 'four')).to.deep.equal([]);
      expect((await store.list(null, 9)).map(({ entry }) => entry.endpoint)).to.deep.equal([
        'one',
        'three',
        'two',
      ]);
    });

    it('counts deliveries by endpoint', async () => {
      for (const [id, endpoint] of Object.entries({ a: 'one', b: 'two', c: 'one' }))
        await store.add('user', sampleDelivery(id, { endpoint }));
      const counts = (await store.count()).map(({ group, state, count }) => [group, state, count]);
      expect(counts).to.have.deep.members([
        ['one', 'waiting', 2],
        ['two', 'waiting', 1],
      ]);
    });

    it('discards one delivery or all of an endpoint, including dead ones, and counts them', async () => {
      for (const [id, endpoint] of Object.entries({ a: 'one', b: 'two', c: 'one', d: 'one' }))
        await store.add('user', sampleDelivery(id, { endpoint }));
      await store.bury('c', NOW, 'given_up');
      const listIds = async () => (await store.list(null, 9)).map(({ entry }) => entry.id);
      expect(await store.discard({ id: 'a' })).to.equal(1);
      expect(await store.discard({ id: 'a' })).to.equal(0);
      expect(await listIds()).to.deep.equal(['b', 'c', 'd']);
      expect(await store.discard({ endpoint: 'one' })).to.equal(2);
      expect(await store.discard({ endpoint: 'one' })).to.equal(0);
      expect(await listIds()).to.deep.equal(['b']);
    });

    it('discards more than a page of deliveries of an endpoint', async () => {
      await race(501, (place) => store.add('user', sampleDelivery(`e${place}`, { endpoint: 'one' })));
      expect(await store.discard({ endpoint: 'one' })).to.equal(501);
      expect(await store.list(null, 9)).to.deep.equal([]);
    });

    it('rejects an endpoint that is not text with a `TypeError`', () =>
      refusesNonText((value) => store.listDue(NOW, 1, value)));
  });
};
