import { expect } from 'chai';
import { type Account, tombstoneOf } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW, sampleAccount, sampleAuditEntry } from './samples.ts';

export const accountStoreContract = (name: string, open: () => Promise<Opened<AccountStore>>): void => {
  describe(`${name} as an account store`, () => {
    const store = storeForEachTest(open);

    it('finds an account by id and by email, with all its members', async () => {
      const account = sampleAccount('a', {
        pending: [sampleAuditEntry('1')],
        knownAddresses: [{ digest: 'd', lastAt: NOW }],
        banned: { reason: 'spam', at: NOW, until: null },
      });
      expect(await store.add(account)).to.equal(true);
      expect(await store.find('a')).to.deep.equal(account);
      expect(await store.findByEmail('a@example.com')).to.deep.equal(account);
    });

    it('finds nothing under an unknown id or email', async () => {
      await store.add(sampleAccount('a'));
      expect(await store.find('a@example.com')).to.equal(undefined);
      expect(await store.findByEmail('a')).to.equal(undefined);
      expect(await store.findByEmail('A@example.com')).to.equal(undefined);
      expect(await store.find('')).to.equal(undefined);
    });

    it('refuses a second account with the same email or id, and stores nothing of it', async () => {
      await store.add(sampleAccount('a'));
      expect(await store.add(sampleAccount('b', { email: 'a@example.com' }))).to.equal(false);
      expect(await store.add(sampleAccount('a', { email: 'other@example.com' }))).to.equal(false);
      expect(await store.find('b')).to.equal(undefined);
      expect(await store.findByEmail('other@example.com')).to.equal(undefined);
      expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
    });

    const nothing = async (): Promise<void> => undefined;

    it('adds many accounts by the same rules as single accounts', async () => {
      await store.add(sampleAccount('a'));
      const many = Array.from({ length: 300 }, (_, place) => sampleAccount(`u${place}`));
      const outcomes = await store.addAll(
        [
          sampleAccount('b', { email: 'a@example.com' }),
          sampleAccount('a', { email: 'other@example.com' }),
          sampleAccount('c', { pending: [sampleAuditEntry('1')] }),
          sampleAccount('d', { email: 'c@example.com' }),
          ...many,
        ],
        nothing,
      );
      expect(outcomes).to.deep.equal([false, false, true, false, ...many.map(() => true)]);
      expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
      expect(await store.find('b')).to.equal(undefined);
      expect((await store.findByEmail('c@example.com'))?.id).to.equal('c');
      expect(await store.findByEmail('other@example.com')).to.equal(undefined);
      expect((await store.listWhere({ fact: 'pending', after: null }, 9)).map(({ id }) => id)).to.deep.equal([
        'c',
      ]);
      expect(await store.addAll(many, nothing)).to.deep.equal(many.map(() => false));
      expect(await store.addAll([], nothing)).to.deep.equal([]);
    });

    it('reports which of many accounts it will add before it adds any of them', async () => {
      await store.add(sampleAccount('a'));
      const announced: (readonly string[])[] = [];
      const before = async (next: readonly Account[]) => {
        announced.push(next.map(({ id }) => id).sort());
        for (const { id } of next) expect(await store.find(id)).to.equal(undefined);
      };
      const all = [
        sampleAccount('b'),
        sampleAccount('c', { email: 'a@example.com' }),
        sampleAccount('d'),
        sampleAccount('e', { email: 'd@example.com' }),
      ];
      expect(await store.addAll(all, before)).to.deep.equal([true, false, true, false]);
      expect(await store.addAll(all, before)).to.deep.equal([false, false, false, false]);
      expect(announced).to.deep.equal([['b', 'd']]);
    });

    it('adds no account if the callback fails, and adds them at the next attempt', async () => {
      const all = ['a', 'b', 'c'].map((id) => sampleAccount(id));
      const failure = new Error('the log is unavailable');
      const error = await store.addAll(all, () => Promise.reject(failure)).catch((thrown: unknown) => thrown);
      expect(error).to.equal(failure);
      for (const { id } of all) expect(await store.find(id)).to.equal(undefined);
      // Another account may take one of the emails in between.
      expect(await store.add(sampleAccount('d', { email: 'c@example.com' }))).to.equal(true);
      expect(await store.addAll(all, nothing)).to.deep.equal([true, true, false]);
      expect((await store.findByEmail('c@example.com'))?.id).to.equal('d');
    });

    it('adds an email once if many batches contain it concurrently', () =>
      inRounds(async (round) => {
        const emails = [0, 1, 2, 3].map((place) => `${round}.${place}@example.com`);
        const outcomes = await race(12, (batch) =>
          store.addAll(
            emails.map((email, place) => sampleAccount(`r${round}-${batch}-${place}`, { email })),
            nothing,
          ),
        );
        for (const [place, email] of emails.entries()) {
          const winners = outcomes.flatMap((added, batch) =>
            added[place] ? [`r${round}-${batch}-${place}`] : [],
          );
          expect(winners).to.have.length(1);
          expect((await store.findByEmail(email))?.id).to.equal(winners[0]);
        }
      }));

    it('replaces an account at its version and stores it with the next version', async () => {
      const account = sampleAccount('a', { version: 3 });
      await store.add(account);
      expect(await store.save({ ...account, displayName: 'New' })).to.equal(true);
      expect(await store.find('a')).to.deep.equal({ ...account, displayName: 'New', version: 4 });
    });

    it('does not replace an account that was written since or is unknown', async () => {
      const account = sampleAccount('a');
      await store.add(account);
      await store.save({ ...account, displayName: 'First' });
      expect(await store.save({ ...account, displayName: 'Second' })).to.equal(false);
      expect(await store.save({ ...account, version: 3 })).to.equal(false);
      expect(await store.save(sampleAccount('b'))).to.equal(false);
      expect((await store.find('a'))?.displayName).to.equal('First');
      expect(await store.find('b')).to.equal(undefined);
    });

    it('changes the email of an account to a free email only', async () => {
      await store.add(sampleAccount('a'));
      await store.add(sampleAccount('b'));
      expect(await store.save(sampleAccount('a', { email: 'b@example.com' }))).to.equal(false);
      expect((await store.find('a'))?.version).to.equal(1);
      expect(await store.save(sampleAccount('a', { email: 'new@example.com' }))).to.equal(true);
      expect(await store.findByEmail('a@example.com')).to.equal(undefined);
      expect((await store.findByEmail('new@example.com'))?.id).to.equal('a');
      expect(await store.add(sampleAccount('c', { email: 'a@example.com' }))).to.equal(true);
    });

    it('keeps a tombstone under its id and frees its email', async () => {
      for (const id of ['a', 'b']) {
        await store.add(sampleAccount(id));
        expect(await store.save(tombstoneOf(sampleAccount(id), NOW))).to.equal(true);
        expect((await store.find(id))?.deletedAt).to.equal(NOW);
        expect(await store.findByEmail(`${id}@example.com`)).to.equal(undefined);
      }
      expect(await store.findByEmail('')).to.equal(undefined);
      expect(await store.add(sampleAccount('c', { email: 'a@example.com' }))).to.equal(true);
    });

    it('removes an account only at its version, and frees its email', async () => {
      const account = sampleAccount('a');
      await store.add(account);
      await store.save(account);
      expect(await store.remove(account)).to.equal(false);
      expect(await store.remove({ ...account, version: 2 })).to.equal(true);
      expect(await store.remove({ ...account, version: 2 })).to.equal(false);
      expect(await store.find('a')).to.equal(undefined);
      expect(await store.add(sampleAccount('b', { email: 'a@example.com' }))).to.equal(true);
    });

    it('lists accounts with pending entries by id, page by page, including tombstones', async () => {
      const pending = [sampleAuditEntry('1')];
      for (const id of ['d', 'a', 'c']) await store.add(sampleAccount(id, { pending }));
      await store.add(sampleAccount('b'));
      await store.save({ ...tombstoneOf(sampleAccount('c'), NOW), pending });
      const ids = async (after: string | null, limit: number) =>
        (await store.listWhere({ fact: 'pending', after }, limit)).map(({ id }) => id);
      expect(await ids(null, 10)).to.deep.equal(['a', 'c', 'd']);
      expect(await ids(null, 2)).to.deep.equal(['a', 'c']);
      expect(await ids('a', 1)).to.deep.equal(['c']);
      expect(await ids('c', 10)).to.deep.equal(['d']);
      await store.save(sampleAccount('a'));
      await store.save(sampleAccount('b', { pending }));
      expect(await ids(null, 10)).to.deep.equal(['b', 'c', 'd']);
    });

    it('stores when a task is due for a retry, and its number of attempts', async () => {
      const task = { kind: 'task', id: 'task', at: NOW, task: 'erase-billing', subject: null } as const;
      const pending = [task, { ...task, id: 'later', retry: { tries: 3, from: NOW, dueAt: NOW + 8_123 } }];
      await store.add(sampleAccount('a', { pending }));
      expect((await store.listWhere({ fact: 'pending', after: null }, 1))[0]?.pending).to.deep.equal(pending);
    });

    it('lists accounts by whether their claims were counted, up to a limit', async () => {
      const counted: Readonly<Record<string, boolean | null>> = { a: true, b: false, c: null, d: true };
      for (const [id, claimsCounted] of Object.entries(counted)) {
        await store.add(sampleAccount(id, { claimsCounted }));
      }
      const ids = async (isCounted: boolean, limit = 10) =>
        (await store.listWhere({ fact: 'claims', counted: isCounted }, limit)).map(({ id }) => id).sort();
      expect(await ids(true)).to.deep.equal(['a', 'd']);
      expect(await ids(true, 1)).to.have.length(1);
      expect(await ids(false)).to.deep.equal(['b']);
      await store.save(sampleAccount('a', { claimsCounted: false }));
      await store.save(tombstoneOf(sampleAccount('d', { claimsCounted: true }), NOW));
      expect(await ids(true)).to.deep.equal([]);
      expect(await ids(false)).to.deep.equal(['a', 'b']);
    });

    it('lists unverified accounts that were registered before a time, oldest first', async () => {
      for (const [id, registeredAt] of Object.entries({ a: 30, b: 10, c: 20, d: 40, e: 5, f: 6 })) {
        await store.add(sampleAccount(id, { registeredAt }));
      }
      await store.save(sampleAccount('e', { registeredAt: 5, verified: true }));
      await store.save(tombstoneOf(sampleAccount('f', { registeredAt: 6 }), 6));
      const ids = async (before: number, limit: number) =>
        (await store.listWhere({ fact: 'unverified', before }, limit)).map(({ id }) => id);
      expect(await ids(40, 10)).to.deep.equal(['b', 'c', 'a']);
      expect(await ids(40, 2)).to.deep.equal(['b', 'c']);
      expect(await ids(10, 10)).to.deep.equal([]);
    });

    it('adds exactly one of many concurrent accounts with the same email', () =>
      inRounds(async (round) => {
        const email = `round${round}@example.com`;
        const added = await race(50, (place) => store.add(sampleAccount(`${round}-${place}`, { email })));
        expect(added.filter(Boolean)).to.have.length(1);
        expect((await store.findByEmail(email))?.id).to.equal(`${round}-${added.indexOf(true)}`);
      }));

    it('moves exactly one of many accounts to an email, and keeps the emails of the others', () =>
      inRounds(async (round) => {
        const email = `wanted${round}@example.com`;
        const users = Array.from({ length: 10 }, (_, place) => sampleAccount(`${round}-${place}`));
        for (const user of users) await store.add(user);
        const outcomes = await race(users.length, (place) =>
          store.save({ ...(users[place] as Account), email }),
        );
        expect(outcomes.filter(Boolean)).to.have.length(1);
        expect((await store.findByEmail(email))?.id).to.equal(users[outcomes.indexOf(true)]?.id);
        for (const [place, user] of users.entries()) {
          const holder = await store.findByEmail(user.email);
          expect(holder?.id).to.equal(outcomes[place] ? undefined : user.id);
        }
      }));

    it('saves exactly one of many concurrent changes at the same version', () =>
      inRounds(async (round) => {
        const account = sampleAccount(`r${round}`);
        await store.add(account);
        const saved = await race(50, (place) => store.save({ ...account, displayName: `${place}` }));
        expect(saved.filter(Boolean)).to.have.length(1);
        const displayName = `${saved.indexOf(true)}`;
        expect(await store.find(account.id)).to.deep.equal({ ...account, displayName, version: 2 });
      }));

    it('lets exactly one of many concurrent removals and saves at the same version succeed', () =>
      inRounds(async (round) => {
        const account = sampleAccount(`r${round}`);
        await store.add(account);
        const outcomes = await race(50, (place) =>
          place % 2 === 0 ? store.remove(account) : store.save(account),
        );
        expect(outcomes.filter(Boolean)).to.have.length(1);
        expect((await store.find(account.id)) === undefined).to.equal(outcomes.indexOf(true) % 2 === 0);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add(sampleAccount('a'));
      await refusesNonText((value) => store.find(value));
      await refusesNonText((value) => store.findByEmail(value));
      await refusesNonText((value) => store.add(sampleAccount('b', { email: value })));
      await refusesNonText((value) => store.add(sampleAccount('b', { id: value })));
      await refusesNonText((value) => store.save(sampleAccount('a', { id: value })));
      await refusesNonText((value) => store.save(sampleAccount('a', { email: value })));
      await refusesNonText((value) => store.remove(sampleAccount('a', { id: value })));
      await refusesNonNumbers((value) => store.save(sampleAccount('a', { version: value })));
      await refusesNonNumbers((value) => store.remove(sampleAccount('a', { version: value })));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'pending', after: null }, value));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'claims', counted: true }, value));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'unverified', before: value }, 1));
      await refusesNonNumbers((value) => store.listWhere({ fact: 'unverified', before: NOW }, value));
      expect(await store.find('a')).to.deep.equal(sampleAccount('a'));
    });
  });
};
