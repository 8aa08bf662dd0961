import { expect } from 'chai';
import { type Account, tombstoneOf } from '../../core/accounts/account.ts';
import type { Directory, SearchFilter, SearchPosition } from '../../core/accounts/directory.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import {
  NOW,
  sampleAccount,
  sampleTwoFactor as twoFactor,
  sampleRestriction as until,
  withFlags,
} from './samples.ts';

export interface DirectoryStore {
  readonly accounts: AccountStore;
  readonly directory: Directory;
}

const pro = { access: { tier: 'pro', isPremium: true } };
const operator = withFlags({ isOperatorTeam: true, operatorTeamRole: 'dev' });

/** The rules of a directory search. Call it inside `describe`. */
export const directorySearchTests = (opened: () => DirectoryStore): void => {
  const add = async (id: string, differences: Partial<Account> = {}) => {
    expect(await opened().accounts.add(sampleAccount(id, differences))).to.equal(true);
  };
  const search = async (
    filter: SearchFilter,
    after: SearchPosition | null = null,
    limit = 100,
    looks = 5_000,
  ) => {
    const { accounts, searchedTo } = await opened().directory.search(filter, after, limit, looks);
    return { ids: accounts.map(({ id }) => id), searchedTo };
  };
  const idsOf = async (filter: SearchFilter) => (await search(filter)).ids;

  it('searches by one condition or several and lists the newest accounts first', async () => {
    await add('a', { twoFactor, verified: true });
    await add('b', { ...pro, createdAt: NOW + 1, verified: true });
    await add('c', { ...pro, twoFactor, createdAt: NOW + 2 });
    await add('d', { ...operator, createdAt: NOW + 3, verified: true, banned: until(null) });
    await add('e', { ...pro, twoFactor });
    // The tombstone of a deletion that can still be undone keeps members of the account.
    const tombstone = { ...tombstoneOf(sampleAccount('e', { ...pro, twoFactor }), NOW), twoFactor };
    await opened().accounts.save(tombstone);
    expect(await idsOf({})).to.deep.equal(['d', 'c', 'b', 'a']);
    expect(await idsOf({ twoFactor: true })).to.deep.equal(['c', 'a']);
    expect(await idsOf({ premium: true })).to.deep.equal(['c', 'b']);
    expect(await idsOf({ premium: true, twoFactor: true })).to.deep.equal(['c']);
    expect(await idsOf({ unverified: true })).to.deep.equal(['c']);
    expect(await idsOf({ unverified: true, tier: 'free' })).to.deep.equal([]);
    expect(await idsOf({ operator: true, bannedAt: NOW })).to.deep.equal(['d']);
    expect(await idsOf({ operator: true, disabledAt: NOW })).to.deep.equal([]);
    expect(await idsOf({ tier: 'pro', twoFactor: true, emailBegins: 'c' })).to.deep.equal(['c']);
    expect(await idsOf({ tier: 'free', emailBegins: 'c' })).to.deep.equal([]);
    const { directory } = opened();
    expect(await directory.count({ twoFactor: true })).to.equal(2);
    expect(await directory.count({ premium: true })).to.equal(2);
  });

  it('continues after an account or an email, whether or not it exists', async () => {
    for (const id of ['a', 'b', 'c']) await add(id, pro);
    await add('d', { ...pro, createdAt: NOW - 1 });
    for (const filter of [{}, { tier: 'pro' }, { tier: 'pro', premium: true }] as const) {
      expect(await search(filter, { id: 'c', createdAt: NOW }, 2)).to.deep.include({ ids: ['b', 'a'] });
      expect(await search(filter, { id: 'a', createdAt: NOW })).to.deep.include({ ids: ['d'] });
    }
    for (const [at, email] of ['ab', 'aa', 'ac'].entries()) await add(`e${at}`, { email: `${email}@b.org` });
    for (const filter of [{ emailBegins: 'a' }, { emailBegins: 'a', tier: 'free' }]) {
      expect(await search(filter, 'aa', 2)).to.deep.include({ ids: ['e1', 'e0'] });
      expect(await search(filter, 'ab@b.org')).to.deep.include({ ids: ['e2'] });
    }
  });

  it('ends a search after the permitted number of records and continues from there', async () => {
    const kinds = [{}, operator, {}, {}, operator, operator, {}];
    for (const [at, kind] of kinds.entries()) {
      // Two accounts each have the same time, so that a search also ends between such accounts.
      await add(`u${at}`, { ...pro, ...kind, createdAt: NOW - Math.floor(at / 2) });
    }
    const filter = { operator: true, tier: 'pro', unverified: true } as const;
    expect(await search(filter, null, 2, 2)).to.deep.equal({ ids: ['u1', 'u5'], searchedTo: null });
    for (const [byTier, looks] of [
      [{ tier: 'pro', emailBegins: 'u' }, 3],
      [{ tier: 'pro', disabledAt: NOW }, 3],
      [{ tier: 'enterprise', premium: true }, 3],
      [{ tier: 'enterprise', premium: true }, 1],
    ] as const) {
      const ids: string[] = [];
      let parts = 0;
      let after: SearchPosition | null = null;
      do {
        const part = await search(byTier, after, 100, looks);
        ids.push(...part.ids);
        after = part.searchedTo;
        parts += 1;
      } while (after !== null && parts < 20);
      const all = 'emailBegins' in byTier ? kinds.map((_, at) => `u${at}`) : [];
      expect(ids, JSON.stringify(byTier)).to.deep.equal(all);
      expect(parts).to.equal('disabledAt' in byTier ? 1 : Math.floor(7 / looks) + 1);
    }
    const first = await search({ tier: 'none', premium: true }, null, 10, 2);
    expect(first.searchedTo).to.deep.equal({ id: 'u0', createdAt: NOW });
    const byEmail = await search({ tier: 'none', emailBegins: 'u' }, null, 10, 2);
    expect(byEmail.searchedTo).to.equal('u1@example.com');
  });

  it('counts accounts with an expired restriction as examined records', async () => {
    for (const [at, end] of [NOW, NOW, NOW, null].entries()) {
      await add(`u${at}`, { banned: until(end), createdAt: NOW - at });
    }
    const part = await search({ bannedAt: NOW }, null, 10, 2);
    expect(part).to.deep.equal({ ids: [], searchedTo: { id: 'u1', createdAt: NOW - 1 } });
    expect(await search({ bannedAt: NOW }, part.searchedTo, 10, 3)).to.deep.equal({
      ids: ['u3'],
      searchedTo: null,
    });
  });

  it('rejects arguments of the wrong type, and positions of the other sort order, in a search', async () => {
    await add('a');
    await refusesNonText((tier) => search({ tier }));
    await refusesNonText((emailBegins) => search({ emailBegins }));
    await refusesNonNumbers((bannedAt) => search({ bannedAt }));
    await refusesNonText((id) => search({}, { createdAt: NOW, id }));
    await refusesNonNumbers((createdAt) => search({ tier: 'pro', premium: true }, { createdAt, id: 'a' }));
    await refusesNonNumbers((limit) => search({}, null, limit));
    await refusesNonNumbers((looks) => search({ tier: 'pro', premium: true }, null, 1, looks));
    await refusesNonText((_) => search({}, 'a@example.com'));
    await refusesNonText((_) => search({ emailBegins: 'a' }, { createdAt: NOW, id: 'a' }));
  });
};
