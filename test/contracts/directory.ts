import { expect } from 'chai';
import { type Account, tombstoneOf } from '../../core/accounts/account.ts';
import type { Directory, DirectoryFilter, DirectoryStart } from '../../core/accounts/directory.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { type DirectoryStore, directorySearchTests } from './directory-search.ts';
import { type Opened, openForEachTest } from './open-for-each-test.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import {
  NOW,
  sampleAccount,
  sampleTwoFactor as twoFactor,
  sampleRestriction as until,
  withFlags,
} from './samples.ts';

const FIRST: DirectoryStart = { skip: 0 };

/** The rules of a directory over the accounts of its store. */
export const directoryContract = (name: string, open: () => Promise<Opened<DirectoryStore>>): void => {
  describe(`${name} as a directory`, () => {
    let directory: Directory;
    let accounts: AccountStore;

    const add = async (id: string, differences: Partial<Account> = {}) => {
      expect(await accounts.add(sampleAccount(id, differences))).to.equal(true);
    };
    const ids = async (filter: DirectoryFilter = {}, start: DirectoryStart = FIRST, limit = 100) =>
      (await directory.list(filter, start, limit)).map(({ id }) => id);

    openForEachTest(open, (opened) => {
      ({ accounts, directory } = opened.store);
    });

    directorySearchTests(() => ({ accounts, directory }));

    it('is empty when it is new', async () => {
      expect(await ids()).to.deep.equal([]);
      expect(await directory.count({})).to.equal(0);
      expect(await directory.stats(NOW)).to.deep.equal({
        total: 0,
        premium: 0,
        byTier: {},
        verified: 0,
        twoFactor: 0,
        banned: 0,
        disabled: 0,
      });
    });

    it('returns whole accounts', async () => {
      await add('a', { verified: true, twoFactor, avatar: 'a/avatar_1.png' });
      expect(await directory.list({}, FIRST, 10)).to.deep.equal([await accounts.find('a')]);
    });

    it('lists the newest accounts first, then the greatest id, including unverified accounts', async () => {
      await add('b', { createdAt: NOW });
      await add('d', { createdAt: NOW - 1 });
      await add('a', { createdAt: NOW, verified: true });
      await add('c', { createdAt: NOW + 1 });
      expect(await ids()).to.deep.equal(['c', 'b', 'a', 'd']);
      expect(await directory.count({})).to.equal(4);
    });

    it('never lists or counts tombstones and removed accounts', async () => {
      for (const id of ['a', 'b', 'c']) await add(id, { verified: true, banned: until(null) });
      await accounts.save(tombstoneOf(sampleAccount('a'), NOW));
      await accounts.remove(sampleAccount('b'));
      expect(await ids()).to.deep.equal(['c']);
      expect(await ids({ email: '' })).to.deep.equal([]);
      expect(await ids({ tier: 'free' })).to.deep.equal(['c']);
      expect(await directory.count({})).to.equal(1);
      expect(await directory.count({ email: '' })).to.equal(0);
      expect(await directory.stats(NOW)).to.deep.include({ total: 1, verified: 1, banned: 1 });
    });

    it('finds accounts only by their whole email', async () => {
      await add('a');
      await add('aa');
      expect(await ids({ email: 'a@example.com' })).to.deep.equal(['a']);
      for (const email of ['A@example.com', 'a@example.co', '%', '_@example.com', '*', 'b@example.com']) {
        expect(await ids({ email }), email).to.deep.equal([]);
        expect(await directory.count({ email }), email).to.equal(0);
      }
    });

    it('finds accounts by their current effective tier', async () => {
      await add('a', { access: { tier: 'pro', isPremium: true } });
      await add('b', { access: { tier: 'pro-lite', isPremium: true } });
      await add('c', { access: { tier: 'pro', isPremium: false }, createdAt: NOW + 1 });
      expect(await ids({ tier: 'pro' })).to.deep.equal(['c', 'a']);
      expect(await ids({ tier: 'free' })).to.deep.equal([]);
      await accounts.save(sampleAccount('a'));
      expect(await ids({ tier: 'pro' })).to.deep.equal(['c']);
      expect(await ids({ tier: 'free' })).to.deep.equal(['a']);
      expect(await directory.count({ tier: 'pro' })).to.equal(1);
    });

    it('requires all conditions of a filter', async () => {
      await add('a', { access: { tier: 'pro', isPremium: true } });
      await add('b');
      expect(await ids({ email: 'a@example.com', tier: 'pro' })).to.deep.equal(['a']);
      expect(await ids({ email: 'b@example.com', tier: 'pro' })).to.deep.equal([]);
      expect(await directory.count({ email: 'a@example.com', tier: 'free' })).to.equal(0);
    });

    it('finds accounts by the beginning of their email, sorted by email, page by page', async () => {
      const emails = [
        'ada@b.org',
        'ad.a@b.org',
        'ada@a.org',
        'adb@b.org',
        'a_a@b.org',
        'ada@a.org.pl',
        'z@ada.org',
      ];
      for (const [at, email] of emails.entries()) await add(`u${at}`, { email, createdAt: NOW - at });
      const listEmails = async (emailBegins: string, skip = 0, limit = 100) =>
        (await directory.list({ emailBegins }, { skip }, limit)).map(({ email }) => email);
      expect(await listEmails('ada')).to.deep.equal(['ada@a.org', 'ada@a.org.pl', 'ada@b.org']);
      expect(await listEmails('ada', 1, 1)).to.deep.equal(['ada@a.org.pl']);
      expect(await listEmails('ada', 3)).to.deep.equal([]);
      expect(await listEmails('ada@a.org')).to.deep.equal(['ada@a.org', 'ada@a.org.pl']);
      expect(await listEmails('a_')).to.deep.equal(['a_a@b.org']);
      for (const none of ['%', 'A', 'ada@b.org.', 'da', '.*'])
        expect(await listEmails(none), none).to.deep.equal([]);
      expect(await directory.count({ emailBegins: 'ada' })).to.equal(3);
      await accounts.save(tombstoneOf(sampleAccount('u0', { email: 'ada@b.org' }), NOW));
      expect(await directory.count({ emailBegins: 'ada' })).to.equal(2);
    });

    it('finds accounts that are banned or disabled at a time, unverified, or operators', async () => {
      await add('a', { banned: until(null), disabled: until(NOW + 10), verified: true });
      await add('b', { banned: until(NOW + 10), createdAt: NOW + 1, verified: true });
      await add('c', { banned: until(NOW), createdAt: NOW + 2 });
      await add('d', { ...withFlags({ isOperatorTeam: true, operatorTeamRole: 'dev' }), verified: true });
      await add('e', { ...withFlags({ isOperatorTeam: true, operatorTeamRole: 'guest' }), verified: true });
      await add('f', {
        ...withFlags({ nested: { isOperatorTeam: true, operatorTeamRole: 'dev' } }),
        verified: true,
      });
      expect(await ids({ bannedAt: NOW })).to.deep.equal(['b', 'a']);
      expect(await ids({ bannedAt: NOW + 10 })).to.deep.equal(['a']);
      expect(await ids({ disabledAt: NOW })).to.deep.equal(['a']);
      expect(await ids({ disabledAt: NOW + 10 })).to.deep.equal([]);
      expect(await ids({ unverified: true })).to.deep.equal(['c']);
      expect(await ids({ operator: true })).to.deep.equal(['d']);
      expect(await ids({ bannedAt: NOW, disabledAt: NOW })).to.deep.equal(['a']);
      expect(await ids({ bannedAt: NOW, operator: true })).to.deep.equal([]);
      expect(await ids({ bannedAt: NOW - 1, emailBegins: 'c', unverified: true })).to.deep.equal(['c']);
      expect(await ids({ operator: true, emailBegins: 'e' })).to.deep.equal([]);
      expect(await ids({ bannedAt: NOW, tier: 'pro' })).to.deep.equal([]);
      expect(await directory.count({ bannedAt: NOW })).to.equal(2);
      expect(await directory.count({ operator: true, tier: 'free' })).to.equal(1);
    });

    it('reflects later changes of an account, and pages by position', async () => {
      const operator = {
        ...withFlags({ isOperatorTeam: true, operatorTeamRole: 'founder' }),
        verified: true,
      };
      for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) {
        await add(id, { ...operator, banned: until(null), createdAt: NOW + at });
      }
      for (const filter of [{ bannedAt: NOW }, { operator: true }] as const) {
        expect(await ids(filter, FIRST, 2)).to.deep.equal(['d', 'c']);
        expect(await ids(filter, { after: { id: 'c', createdAt: NOW + 2 } }, 2)).to.deep.equal(['b', 'a']);
      }
      await accounts.save(sampleAccount('a'));
      await accounts.save(tombstoneOf(sampleAccount('b', operator), NOW));
      expect(await ids({ bannedAt: NOW })).to.deep.equal(['d', 'c']);
      expect(await ids({ operator: true })).to.deep.equal(['d', 'c']);
      expect(await ids({ unverified: true })).to.deep.equal(['a']);
    });

    it('skips the requested number of accounts and returns at most the limit', async () => {
      for (let at = 0; at < 7; at += 1) await add(`u${at}`, { createdAt: NOW + at });
      expect(await ids({}, FIRST, 3)).to.deep.equal(['u6', 'u5', 'u4']);
      expect(await ids({}, { skip: 3 }, 3)).to.deep.equal(['u3', 'u2', 'u1']);
      expect(await ids({}, { skip: 6 }, 3)).to.deep.equal(['u0']);
      expect(await ids({}, { skip: 7 }, 3)).to.deep.equal([]);
      expect(await ids({}, { skip: 1_000_000_000_000 }, 3)).to.deep.equal([]);
    });

    it('continues after an account, even if it was removed or others have the same time', async () => {
      for (const id of ['a', 'b', 'c']) await add(id, { createdAt: NOW });
      await add('d', { createdAt: NOW - 1 });
      await add('e', { createdAt: NOW + 1 });
      const idsAfter = (id: string, createdAt = NOW) => ids({}, { after: { id, createdAt } });
      expect(await idsAfter('e', NOW + 1)).to.deep.equal(['c', 'b', 'a', 'd']);
      expect(await idsAfter('c')).to.deep.equal(['b', 'a', 'd']);
      expect(await idsAfter('a')).to.deep.equal(['d']);
      expect(await idsAfter('d', NOW - 1)).to.deep.equal([]);
      await accounts.remove(sampleAccount('b'));
      expect(await idsAfter('b')).to.deep.equal(['a', 'd']);
    });

    it('lists each account once, page by page, while accounts are added', async () => {
      const tierOf = (at: number) => (at % 3 === 0 ? 'pro' : 'free');
      for (let at = 0; at < 30; at += 1) {
        const access = { tier: tierOf(at), isPremium: false };
        await add(`u${String(at).padStart(2, '0')}`, { createdAt: NOW + Math.floor(at / 4), access });
      }
      const expectedIds = await ids({ tier: 'pro' });
      const listedIds: string[] = [];
      let start: DirectoryStart = FIRST;
      for (let page = 0; page < 20; page += 1) {
        const accountsOfPage: readonly Account[] = await directory.list({ tier: 'pro' }, start, 3);
        const last = accountsOfPage.at(-1);
        if (last === undefined) break;
        listedIds.push(...accountsOfPage.map(({ id }) => id));
        start = { after: last };
        const access = { tier: 'pro', isPremium: false };
        await add(`new${page}`, { createdAt: NOW + 100, access });
      }
      expect(listedIds).to.deep.equal(expectedIds);
      expect(expectedIds).to.have.length(10);
    });

    it('counts accounts by tier, premium, verified and two-factor', async () => {
      await add('a', { access: { tier: 'pro', isPremium: true }, verified: true, twoFactor });
      await add('b', { access: { tier: 'pro', isPremium: false }, verified: true });
      await add('c', { access: { tier: 'free', isPremium: true } });
      await add('d');
      expect(await directory.stats(NOW)).to.deep.equal({
        total: 4,
        premium: 2,
        byTier: { pro: 2, free: 2 },
        verified: 2,
        twoFactor: 1,
        banned: 0,
        disabled: 0,
      });
    });

    it('verifies its stored counts in steps and finds them correct', async () => {
      await add('a');
      await add('b', { verified: true });
      let wrongCounts = null;
      while (wrongCounts === null) wrongCounts = await directory.verifyCounts();
      expect(wrongCounts).to.deep.equal([]);
      expect(await directory.stats(NOW)).to.include({ total: 2, verified: 1 });
    });

    it('counts the bans and disablements in force at a time', async () => {
      await add('a', { banned: until(null) });
      await add('b', { banned: until(NOW + 10), disabled: until(NOW + 20) });
      await add('c', { disabled: until(NOW) });
      const at = async (now: number) => {
        const { banned, disabled, total } = await directory.stats(now);
        return { banned, disabled, total };
      };
      expect(await at(NOW - 1)).to.deep.equal({ banned: 2, disabled: 2, total: 3 });
      expect(await at(NOW)).to.deep.equal({ banned: 2, disabled: 1, total: 3 });
      expect(await at(NOW + 10)).to.deep.equal({ banned: 1, disabled: 1, total: 3 });
      expect(await at(NOW + 20)).to.deep.equal({ banned: 1, disabled: 0, total: 3 });
      await accounts.save(sampleAccount('a'));
      expect(await at(NOW)).to.include({ banned: 1 });
    });

    it('rejects arguments of the wrong type in a list, a count or statistics', async () => {
      await add('a');
      await refusesNonText((email) => directory.list({ email }, FIRST, 1));
      await refusesNonText((tier) => directory.list({ tier }, FIRST, 1));
      await refusesNonText((emailBegins) => directory.list({ emailBegins }, FIRST, 1));
      await refusesNonNumbers((bannedAt) => directory.list({ bannedAt }, FIRST, 1));
      await refusesNonNumbers((disabledAt) => directory.list({ disabledAt }, FIRST, 1));
      await refusesNonText((email) => directory.count({ email }));
      await refusesNonText((tier) => directory.count({ tier }));
      await refusesNonText((id) => directory.list({}, { after: { createdAt: NOW, id } }, 1));
      await refusesNonNumbers((createdAt) => directory.list({}, { after: { createdAt, id: 'a' } }, 1));
      await refusesNonNumbers((skip) => directory.list({}, { skip }, 1));
      await refusesNonNumbers((limit) => directory.list({}, FIRST, limit));
      await refusesNonNumbers((now) => directory.stats(now));
    });
  });
};
