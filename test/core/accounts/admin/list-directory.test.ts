import { expect } from 'chai';
import type { Account } from '../../../../core/accounts/account.ts';
import { newEntitlement } from '../../../../core/accounts/entitlement.ts';
import { createAccounts, type DirectoryPage, type ListDirectoryInput } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { codeOf, openPorts } from '../open-core.ts';
import { useAdminAccounts } from './open-admin-accounts.ts';

const MAX_READS = 3;
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

describe('The user directory for operators', () => {
  /** Users u0, u1 …, the oldest first. */
  const open = async (...users: readonly Partial<Account>[]) => {
    const { ports } = openPorts();
    for (const [at, differences] of users.entries()) {
      const email = `u${at}@example.com`;
      await ports.accounts.add(sampleAccount(idOf(at), { email, createdAt: NOW + at, ...differences }));
    }
    const { operate } = createAccounts(ports, { readsPerSearch: MAX_READS });
    return {
      operate,
      names: async (filter: ListDirectoryInput) =>
        (await operate.listDirectory(filter)).users.map(({ email }) => email.split('@')[0]),
    };
  };

  it('shows the main fields of each user, and a restriction only while it is in force', async () => {
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

  it('filters by flag, tier and email prefix, and ignores case and white space of the prefix', async () => {
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

  it('returns pages by cursor, newest first or by email, without a count', async () => {
    const { operate } = await open({}, {}, {}, {}, {});
    for (const [filter, limit] of [
      [{}, 1],
      [{}, 2],
      [{}, 3],
      [{ prefix: 'u2@' }, 2],
      [{ flag: 'unverified' }, 2],
    ] as const) {
      const emails: string[] = [];
      let page: DirectoryPage = await operate.listDirectory({ ...filter, limit });
      emails.push(...page.users.map(({ email }) => email));
      while (page.cursor !== undefined) {
        page = await operate.listDirectory({ ...filter, limit, cursor: page.cursor });
        emails.push(...page.users.map(({ email }) => email));
      }
      const all = [4, 3, 2, 1, 0].map((at) => `u${at}@example.com`);
      expect(emails).to.deep.equal('prefix' in filter ? ['u2@example.com'] : all);
    }
  });

  it('continues after the last email of the previous page', async () => {
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

  it('stops a search after a number of users, returns its position, and continues from there', async () => {
    const pro = { access: { tier: 'pro', isPremium: true } };
    const { operate } = await open({ ...pro, verified: true }, pro, pro, pro, pro);
    const common = { tier: 'free', flag: 'premium' } as const;
    const first = await operate.listDirectory(common);
    expect(first).to.deep.include({ users: [], searchedTo: new Date(NOW + 2).toISOString() });
    const next = await operate.listDirectory({ ...common, cursor: first.cursor ?? '' });
    expect(next).to.deep.equal({ users: [] });
    const byPrefix = await operate.listDirectory({ tier: 'free', prefix: 'u0@' });
    expect(byPrefix).to.deep.equal({ users: [] });
  });

  it('refuses a short prefix, an unknown tier, and a cursor of another list', async () => {
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
      expect(await codeOf(operate.listDirectory(filter))).to.equal(code);
    }
    for (const invalidFilter of [{ flag: 'rich' }, { limit: 0 }, { limit: 1.5 }, { prefix: 7 }]) {
      const error = await rejectionOf(() => operate.listDirectory(invalidFilter as ListDirectoryInput));
      expect(error, JSON.stringify(invalidFilter)).to.include({ code: 'invalid_request' });
    }
  });
});

describe('The user list with a count', () => {
  const core = useAdminAccounts();
  const names = ['ada', 'bob', 'cid', 'eva', 'eve'];
  const localPart = (email: string) => email.split('@')[0];

  beforeEach(async () => {
    const { edit, operate, signUp } = core();
    for (const name of names) await signUp(`${name}@example.com`);
    const { id: cid } = await operate.findUser('cid@example.com');
    await edit(cid, { verified: false });
    await operate.setTier('eva@example.com', { tier: 'pro' }, { actor: 'operator:cli' });
    await operate.appoint('eve@example.com', 'dev', { actor: 'operator:cli' });
    await operate.ban('ada@example.com', { reason: 'spam', until: null }, { actor: 'operator:cli' });
    await operate.disable('bob@example.com', { reason: 'asked', until: null }, { actor: 'operator:cli' });
    const at = NOW - 9;
    await edit(cid, {
      banned: { reason: 'a', at, until: at + 1 },
      disabled: { reason: 'a', at, until: at + 1 },
    });
  });

  it('filters by each condition, ignores the case of emails, and counts the matches', async () => {
    const { accounts, operate } = core();
    for (const [filter, expected] of [
      [{ email: ' EVA@Example.com' }, ['eva']],
      [{ email: 'nobody@example.com' }, []],
      [{ tier: 'pro' }, ['eva']],
      [{ emailBegins: ' Ev' }, ['eva', 'eve']],
      [{ banned: true }, ['ada']],
      [{ disabled: true }, ['bob']],
      [{ unverified: true }, ['cid']],
      [{ operator: true }, ['eve']],
      [{ banned: true, disabled: true }, []],
      [{ banned: false, disabled: false, unverified: false, operator: false }, names.toReversed()],
    ] as const) {
      const { users, pagination } = await accounts.listUsers(filter);
      expect(
        users.map(({ email }) => localPart(email)),
        JSON.stringify(filter),
      ).to.deep.equal(expected);
      const pages = { page: 1, limit: 50, hasMore: false, totalPages: Math.ceil(expected.length / 50) };
      expect(pagination).to.deep.equal({ ...pages, totalCount: expected.length });
    }
    expect(await accounts.userStats()).to.deep.equal({ totalUsers: 5, premiumUsers: 1, freeUsers: 4 });
    const { id, createdAt, updatedAt } = await operate.showUser('bob@example.com');
    const [bob] = (await accounts.listUsers({ email: 'bob@example.com' })).users;
    const plain = { displayName: null, avatar: null, serviceAccess: [] };
    expect(bob).to.deep.equal({ id, email: 'bob@example.com', ...plain, createdAt, updatedAt });
  });

  it('continues by page or by cursor, and only by page with an email prefix', async () => {
    const { accounts } = core();
    const placed = { limit: 3, totalCount: 5, totalPages: 2 };
    const first = await accounts.listUsers({ limit: 3 });
    const { cursor = '', ...pagination } = first.pagination;
    expect(first.users.map(({ email }) => localPart(email))).to.deep.equal(['eve', 'eva', 'cid']);
    expect(pagination).to.deep.equal({ ...placed, page: 1, hasMore: true });
    for (const place of [{ page: 2 }, { cursor }]) {
      const last = await accounts.listUsers({ limit: 3, ...place });
      expect(last.users.map(({ email }) => localPart(email))).to.deep.equal(['bob', 'ada']);
      expect(last.pagination).to.deep.equal({
        ...placed,
        page: 1,
        ...('page' in place && place),
        hasMore: false,
      });
    }
    expect((await accounts.listUsers({ limit: 5 })).pagination).to.include({ totalPages: 1, hasMore: false });
    expect((await accounts.listUsers({ limit: 201 })).pagination).to.include({ limit: 200 });
    for (const [filter, code] of [
      [{ tier: 'gold' }, 'unknown_tier'],
      [{ cursor: `${cursor}x` }, 'invalid_cursor'],
      [{ cursor, emailBegins: 'ad' }, 'invalid_cursor'],
    ] as const)
      expect(await codeOf(accounts.listUsers(filter))).to.equal(code);
    for (const page of [1, 2]) {
      const { pagination, users } = await accounts.listUsers({ emailBegins: 'ev', limit: 1, page });
      expect(users.map(({ email }) => localPart(email))).to.deep.equal([page === 1 ? 'eva' : 'eve']);
      expect(pagination).to.deep.equal({ page, limit: 1, totalCount: 2, totalPages: 2, hasMore: page === 1 });
    }
  });
});
