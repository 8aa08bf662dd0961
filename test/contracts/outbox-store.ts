import { expect } from 'chai';
import type { OutboxStore } from '../../core/accounts/ports.ts';
import { type OpenedOutbox, testOutbox } from './outbox.ts';
import { refusesNonText } from './rejection.ts';
import { NOW, sampleMail } from './samples.ts';

export const outboxStoreContract = (name: string, open: () => Promise<OpenedOutbox<OutboxStore>>): void => {
  testOutbox(`${name} as an outbox of mails`, open, sampleMail);

  describe(`${name} as an outbox store`, () => {
    let opened: OpenedOutbox<OutboxStore>;
    let store: OutboxStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    it('removes what is addressed to a user, but for the farewell', async () => {
      await store.add('user', sampleMail('a'));
      await store.add('user', sampleMail('b', { template: 'account-deleted' }));
      await store.add('other', sampleMail('c'));
      await store.removeFor('user');
      expect((await store.listFor('someone@example.com')).map(({ entry }) => entry.id)).to.deep.equal([
        'b',
        'c',
      ]);
    });

    it('lists the mails of a user, dead ones too', async () => {
      await store.add('user', sampleMail('a'));
      await store.add('other', sampleMail('b'));
      await store.add('user', sampleMail('c'));
      await store.bury('c', NOW, 'refused');
      expect((await store.listOf('user')).map(({ entry }) => entry.id)).to.deep.equal(['a', 'c']);
      expect(await store.listOf('nobody')).to.deep.equal([]);
    });

    it('refuses anything but text for a user', async () => {
      await store.add('user', sampleMail('a'));
      await refusesNonText((value) => store.removeFor(value));
      await refusesNonText((value) => store.listOf(value));
      expect(await store.listOf('user')).to.have.length(1);
    });
  });
};
