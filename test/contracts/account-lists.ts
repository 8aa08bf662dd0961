import { expect } from 'chai';
import { tombstoneOf } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { NO_BILLING } from '../../core/billing/subscription.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW, sampleAccount, sampleTwoFactor } from './samples.ts';

/** The lists by which background work reads accounts. */
export const accountListsContract = (name: string, open: () => Promise<Opened<AccountStore>>): void => {
  describe(`${name} as an account store for background work`, () => {
    const store = storeForEachTest(open);

    it('finds accounts by the former emails to which they can still return', async () => {
      const former = (email: string) => ({ email, digest: 'd', askedAt: NOW, until: NOW + 1 });
      const listIds = async (email: string) => (await store.listByFormerEmail(email)).map(({ id }) => id);
      await store.add(sampleAccount('b', { formerEmails: [former('old@example.com')] }));
      const both = [former('old@example.com'), former('other@example.com'), former('old@example.com')];
      await store.add(sampleAccount('a', { formerEmails: both }));
      await store.add(sampleAccount('c'));
      expect(await listIds('old@example.com')).to.deep.equal(['a', 'b']);
      expect(await listIds('a@example.com')).to.deep.equal([]);
      const a = sampleAccount('a');
      await store.save({ ...a, formerEmails: [former('other@example.com')] });
      expect(await listIds('old@example.com')).to.deep.equal(['b']);
      expect(await listIds('other@example.com')).to.deep.equal(['a']);
      const deleted = tombstoneOf({ ...a, version: a.version + 1 }, NOW);
      const undoable = { formerEmails: [former('other@example.com')], waitingDeletion: { sealed: 's' } };
      await store.save({ ...deleted, ...undoable });
      expect(await listIds('other@example.com')).to.deep.equal(['a']);
      expect((await store.find('a'))?.waitingDeletion).to.deep.equal({ sealed: 's' });
      await store.save({ ...deleted, version: a.version + 2 });
      expect(await listIds('other@example.com')).to.deep.equal([]);
      await store.remove(sampleAccount('b'));
      expect(await listIds('old@example.com')).to.deep.equal([]);
      await refusesNonText((value) => store.listByFormerEmail(value));
    });

    for (const [kind, fact, member] of [
      ['with a second factor', 'sealed', { twoFactor: sampleTwoFactor }],
      ['that set up a second factor', 'sealed', { twoFactorSetup: 'sealed' }],
      ['with billing data', 'billed', { billing: NO_BILLING }],
    ] as const)
      it(`lists accounts ${kind} by id, page by page`, async () => {
        for (const id of ['d', 'a', 'c', 'e']) await store.add(sampleAccount(id, member));
        await store.add(sampleAccount('b'));
        const ids = async (after: string | null, limit: number) =>
          (await store.listWhere({ fact, after }, limit)).map(({ id }) => id);
        expect(await ids(null, 10)).to.deep.equal(['a', 'c', 'd', 'e']);
        expect(await ids(null, 2)).to.deep.equal(['a', 'c']);
        expect(await ids('c', 1)).to.deep.equal(['d']);
        await store.save(sampleAccount('a'));
        await store.save(sampleAccount('b', member));
        await store.save(tombstoneOf(sampleAccount('c', member), NOW));
        expect(await ids(null, 10)).to.deep.equal(['b', 'd', 'e']);
      });

    it('lists accounts whose billing check is due, longest due first', async () => {
      const due: Readonly<Record<string, number | null>> = { a: 30, b: 10, c: null, d: 20, e: 20, f: 40 };
      for (const [id, billingDueAt] of Object.entries(due)) {
        await store.add(sampleAccount(id, { billing: NO_BILLING, billingDueAt }));
      }
      const ids = async (now: number, limit: number) =>
        (await store.listWhere({ fact: 'billing_due', now }, limit)).map(({ id }) => id);
      expect(await ids(9, 10)).to.deep.equal([]);
      expect(await ids(30, 10)).to.deep.equal(['b', 'd', 'e', 'a']);
      expect(await ids(30, 2)).to.deep.equal(['b', 'd']);
      await store.save(sampleAccount('b', { billing: NO_BILLING, billingDueAt: null }));
      await store.save(sampleAccount('c', { billing: NO_BILLING, billingDueAt: 5 }));
      await store.save(tombstoneOf(sampleAccount('d', { billing: NO_BILLING, billingDueAt: 20 }), NOW));
      expect(await ids(30, 10)).to.deep.equal(['c', 'e', 'a']);
    });

    it('rejects limits and times that are not numbers with a `TypeError`', async () => {
      await refusesNonNumbers((value) => store.listWhere({ fact: 'sealed', after: null }, value));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'billing_due', now: value }, 1));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'billing_due', now: NOW }, value));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'billed', after: null }, value));
    });
  });
};
