import { expect } from 'chai';
import type { WebhookStore } from '../../core/webhooks/ports.ts';
import { type OpenedOutbox, testOutbox } from './outbox.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleDelivery } from './samples.ts';

export const webhookStoreContract = (name: string, open: () => Promise<OpenedOutbox<WebhookStore>>): void => {
  const openOne = async () => {
    const { store, close } = await open();
    return {
      store: { ...store, listDue: (now: number, limit: number) => store.listDue(now, limit, 'endpoint') },
      close,
    };
  };
  testOutbox(`${name} as an outbox of events for an endpoint`, openOne, sampleDelivery);

  describe(`${name} as a webhook store`, () => {
    let opened: OpenedOutbox<WebhookStore>;
    let store: WebhookStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    it('lists what is due for one endpoint alone', async () => {
      for (const endpoint of ['one', 'two', 'three']) {
        const to = `${endpoint} user`;
        await store.add('user', sampleDelivery(`a ${endpoint}`, { endpoint, to }));
        await store.postpone(`a ${endpoint}`, { from: NOW + 5, until: NOW + 9 }, 'timeout');
      }
      expect(await store.listDue(NOW + 9, 9, 'two')).to.deep.equal(['two user']);
      // Its wait is from a time to come.
      expect(await store.listDue(NOW, 9, 'three')).to.deep.equal(['three user']);
      expect(await store.listDue(NOW + 9, 9, 'four')).to.deep.equal([]);
      expect((await store.list(null, 9)).map(({ entry }) => entry.endpoint)).to.deep.equal([
        'one',
        'three',
        'two',
      ]);
    });

    it('refuses anything but text for an endpoint', () =>
      refusesNonText((value) => store.listDue(NOW, 1, value)));
  });
};
