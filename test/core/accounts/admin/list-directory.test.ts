import { expect } from 'chai';
import type { Account } from '../../../../core/accounts/account.ts';
import { newEntitlement } from '../../../../core/accounts/entitlement.ts';
import { createAccounts, type DirectoryPage, type ListDirectoryInput } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { openPorts } from '../open-core.ts';

const LOOKS = 3;
const LATER = NOW + 1_000_000;

const idOf = (at: number) => `0000000${at}-0000-7000-8000-000000000000`;

const founder: Partial<Account> = {
  entitlements: [
    {
      ...newEntitlement('one', 'DROP', NOW),
      accessFlags: { isOperatorTeam: true, operatorTeamRole: 'founder' },
    },
  ],
};

describe('The directory for operators', () => {
  /** Users u0, u1 …, the oldest first. */
  const open = async (...users: readonly Partial<Account>[]) => {
    const { ports } = openPorts();
    for (const [at, differences] of users.entries()) {
      const email = `u${at}@example.com`;
      await ports.accounts.add(sampleAccount(idOf(at), { email, createdAt: NOW + at, ...differences }));
    }
    const { operate } = createAccounts(ports, { readsPerSearch: LOOKS });
    return {
      operate,
      names: async (filter: ListDirectoryInput) =>
        (await operate.listDirectory(filter)).users.map(({ email }) => email.split('@')[0]),
    };
  };

  it('shows what operators look for, and a restriction only while it holds', async () => {
    const { operate } = await open(
      { ...founder, verified: true, displayName: 'Ada', access: { tier: 'pro', isPremium: true } },
      {
        banned: { reason: 'spam', at: NOW, until: LATER },
        disabled: { reason: 'spam', at: NOW - 9, until: NOW - 1 },
      },
      { disabled: { reason: 'asked', at: NOW, until: null } },
    );
    const plain = {
      displayName: sampleAccount('any').displayName,
      tier: 'free',
      isPremium: false,
      verified: false,
      twoFactor: false,
      banned: null,
      disabled: null,
      operator: null,
    };
    const common = (at: number) => ({
      id: idOf(at),
      email: `u${at}@example.com`,
      createdAt: new Date(NOW + at).toISOString(),
    });
    expect(await operate.listDirectory({})).to.deep.equal({
      users: [
        { ...plain, ...common(2), disabled: { until: null } },
        { ...plain, ...common(1), banned: { until: new Date(LATER).toISOString() } },
        {
          ...plain,
          ...common(0),
          ...{ displayName: 'Ada', tier: 'pro', isPremium: true, verified: true, operator: 'founder' },
        },
      ],
    });
  });

  it('finds by each flag, tier and beginning, however that is written', async () => {
    const { names } = await open(
      { ...founder, verified: true },
      { banned: { reason: 'spam', at: NOW, until: null }, verified: true },
      { access: { tier: 'pro', isPremium: true } },
    );
    expect(await names({ flag: 'operator' })).to.deep.equal(['u0']);
    expect(await names({ flag: 'banned' })).to.deep.equal(['u1']);
    expect(await names({ flag: 'disabled' })).to.deep.equal([]);
    expect(await names({ flag: 'unverified' })).to.deep.equal(['u2']);
    expect(await names({ flag: 'two_factor' })).to.deep.equal([]);
    expect(await names({ flag: 'premium' })).to.deep.equal(['u2']);
    expect(await names({ tier: 'pro' })).to.deep.equal(['u2']);
    expect(await names({ prefix: ' U1@Example.com' })).to.deep.equal(['u1']);
    expect(await names({ prefix: 'u1', flag: 'premium' })).to.deep.equal([]);
  });

  it('pages by cursor, newest first and by email, without a count', async () => {
    const { operate } = await open({}, {}, {}, {}, {});
    for (const filter of [{}, { prefix: 'u2@' }, { flag: 'unverified' }] as const) {
      const emails: string[] = [];
      let page: DirectoryPage = await operate.listDirectory({ ...filter, limit: 2 });
      emails.push(...page.users.map(({ email }) => email));
      while (page.cursor !== undefined) {
        page = await operate.listDirectory({ ...filter, limit: 2, cursor: page.cursor });
        emails.push(...page.users.map(({ email }) => email));
      }
      const all = [4, 3, 2, 1, 0].map((at) => `u${at}@example.com`);
      expect(emails).to.deep.equal('prefix' in filter ? ['u2@example.com'] : all);
    }
  });

  it('goes on by email behind the last one shown', async () => {
    const { operate } = await open(
      { email: 'aa.one@b.org' },
      { email: 'aa+c@b.org' },
      { email: 'aa-d@b.org' },
    );
    const first = await operate.listDirectory({ prefix: 'aa', limit: 2 });
    expect(first.users.map(({ email }) => email)).to.deep.equal(['aa+c@b.org', 'aa-d@b.org']);
    const cursor = first.cursor ?? '';
    const next = await operate.listDirectory({ prefix: 'aa', limit: 2, cursor });
    expect(next.users.map(({ email }) => email)).to.deep.equal(['aa.one@b.org']);
    expect(next).not.to.have.property('cursor');
  });

  it('gives up a search that few of many meet, says how far it came, and goes on there', async () => {
    const pro = { access: { tier: 'pro', isPremium: true } };
    const { operate } = await open({ ...pro, verified: true }, pro, pro, pro, pro);
    const common = { tier: 'free', flag: 'premium' } as const;
    const first = await operate.listDirectory(common);
    expect(first).to.deep.include({ users: [], searchedTo: new Date(NOW + 2).toISOString() });
    const next = await operate.listDirectory({ ...common, cursor: first.cursor ?? '' });
    expect(next).to.deep.equal({ users: [] });
    const begun = await operate.listDirectory({ tier: 'free', prefix: 'u0@' });
    expect(begun).to.deep.equal({ users: [] });
  });

  it('refuses a short beginning, a tier that there is none, and a cursor of another list', async () => {
    const { operate } = await open({}, {}, {});
    const { cursor = '' } = await operate.listDirectory({ limit: 1 });
    for (const [filter, code] of [
      [{ prefix: 'u' }, 'invalid_prefix'],
      [{ prefix: ' u ' }, 'invalid_prefix'],
      [{ prefix: '' }, 'invalid_email'],
      [{ prefix: 'a b' }, 'invalid_email'],
      [{ tier: 'gold' }, 'unknown_tier'],
      [{ cursor: 'x' }, 'invalid_cursor'],
      [{ cursor: '' }, 'invalid_cursor'],
      [{ cursor: `${cursor}x` }, 'invalid_cursor'],
      [{ cursor, prefix: 'u1' }, 'invalid_cursor'],
      [{ cursor: '%E0%A4%A.x', prefix: 'u1' }, 'invalid_cursor'],
    ] as const) {
      const error = await rejectionOf(() => operate.listDirectory(filter));
      expect(error, JSON.stringify(filter)).to.include({ kind: 'invalid', code });
    }
    for (const wrong of [{ flag: 'rich' }, { limit: 0 }, { limit: 1.5 }, { prefix: 7 }]) {
      const error = await rejectionOf(() => operate.listDirectory(wrong as ListDirectoryInput));
      expect(error, JSON.stringify(wrong)).to.include({ code: 'invalid_request' });
    }
  });
});
