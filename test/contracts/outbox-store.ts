import { expect } from 'chai';
import type { OutboxStore } from '../../core/accounts/ports.ts';
import type { OutboxState } from '../../core/outbox.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { testOutbox } from './outbox.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW, sampleMail } from './samples.ts';

export const outboxStoreContract = (name: string, open: () => Promise<Opened<OutboxStore>>): void => {
  testOutbox(`${name} as an outbox of mails`, open, sampleMail);

  describe(`${name} as an outbox store`, () => {
    const store = storeForEachTest(open);

    it('removes the mails of a user except those of one template', async () => {
      await store.add('user', sampleMail('a'));
      await store.add('user', sampleMail('b', { template: 'account-deleted' }));
      await store.add('other', sampleMail('c'));
      await store.removeFor('user', 'account-deleted');
      expect((await store.listFor('someone@example.com')).map(({ entry }) => entry.id)).to.deep.equal([
        'b',
        'c',
      ]);
    });

    it('lists the mails of a user, including dead ones', async () => {
      await store.add('user', sampleMail('a'));
      await store.add('other', sampleMail('b'));
      await store.add('user', sampleMail('c'));
      await store.bury('c', NOW, 'refused');
      expect((await store.listOf('user')).map(({ entry }) => entry.id)).to.deep.equal(['a', 'c']);
      expect(await store.listOf('nobody')).to.deep.equal([]);
    });

    it('lists the mails of a state by id, page by page', async () => {
      for (const id of ['f', 'e', 'd', 'c', 'b', 'a']) await store.add('user', sampleMail(id));
      for (const id of ['b', 'e', 'f']) await store.claim(id, 1);
      for (const id of ['a', 'e']) await store.bury(id, NOW, 'refused');
      const ids = async (state: OutboxState, after: string | null = null, limit = 10) =>
        (await store.listByState(state, after, limit)).map(({ entry }) => entry.id);
      expect(await ids('waiting')).to.deep.equal(['c', 'd']);
      expect(await ids('failing')).to.deep.equal(['b', 'f']);
      expect(await ids('dead')).to.deep.equal(['a', 'e']);
      expect(await ids('waiting', null, 1)).to.deep.equal(['c']);
      expect(await ids('waiting', 'c', 1)).to.deep.equal(['d']);
      expect(await ids('dead', 'a')).to.deep.equal(['e']);
      expect(await ids('failing', 'f')).to.deep.equal([]);
      const [dead] = await store.listByState('dead', null, 1);
      expect(dead).to.deep.include({ deadAt: NOW, lastFailure: 'refused', entry: sampleMail('a') });
      await store.retry('a', NOW);
      expect(await ids('dead')).to.deep.equal(['e']);
      expect(await ids('waiting')).to.deep.equal(['a', 'c', 'd']);
    });

    it('rejects arguments of the wrong type in the calls for mails of a user or state', async () => {
      await store.add('user', sampleMail('a'));
      await refusesNonText((value) => store.removeFor(value, 'account-deleted'));
      await refusesNonText((value) => store.listOf(value));
      await refusesNonText((value) => store.listByState(value as OutboxState, null, 1));
      await refusesNonNumbers((value) => store.listByState('dead', null, value));
      expect(await store.listOf('user')).to.have.length(1);
    });
  });
};
