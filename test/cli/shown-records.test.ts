import { expect } from 'chai';
import sinon from 'sinon';
import { documentsOf } from './run-command.ts';
import { OPERATOR, rowsOf, runLine, withCall } from './run-line.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** The command line, the call that it makes, the call's arguments, the members of a record, and the column titles. */
const LISTS = `
audit list --user u1 --actor system --action user.banned --since 2026-01-01 | accounts.operate.listAudit | [{"user":"u1","actor":"system","action":"user.banned","since":${Date.parse(AT)}}] | number at actor person action target reason before after | NUMBER,AT,ACTOR,PERSON,ACTION,TARGET,REASON,BEFORE,AFTER
mail list | accounts.operate.listMails | [] | id state to template createdAt tries dueAt lastFailure | ID,STATE,TO,TEMPLATE,CREATED,TRIES,DUE,FAILURE
webhooks list | webhooks.operate.listDeliveries | [] | id state endpoint type userId createdAt tries dueAt lastFailure | ID,STATE,ENDPOINT,TYPE,USER,CREATED,TRIES,DUE,FAILURE
users sessions u1 | accounts.operate.listSessions | ["u1"] | id createdAt lastUsedAt ip userAgent | ID,CREATED,LAST USED,ADDRESS,USER AGENT
`;

describe('A printed list of records', () => {
  for (const row of LISTS.trim().split('\n')) {
    const [line = '', path = '', args = '', names = '', titles = ''] = row.split(' | ');
    it(`is printed as a table, or with --json as one document a record: ${line}`, async () => {
      const values = names.split(' ').map((name) => [name, `its ${name}`] as const);
      const call = sinon.spy(() => [Object.fromEntries(values)]);
      const run = (...more: readonly string[]) =>
        runLine([...line.split(' '), ...more], withCall(path, call));
      const { stdout, stderr } = await run();
      expect([stderr, call.args]).to.deep.equal(['', [JSON.parse(args)]]);
      expect(rowsOf(stdout)).to.deep.equal([
        titles.replaceAll(',', '|'),
        values.map(([, value]) => value).join('|'),
      ]);
      expect(documentsOf(await run('--json'))).to.deep.equal([Object.fromEntries(values)]);
    });
  }

  it('of the audit log marks erased rows, and has the values before and after', async () => {
    const rows = [{ number: 7, action: null, before: null, after: { banned: true } }];
    const { stdout } = await runLine(
      ['audit', 'list'],
      withCall('accounts.operate.listAudit', () => rows),
    );
    expect(rowsOf(stdout)[1]).to.equal('7|-|-|-|erased|-|-|-|{"banned":true}');
  });

  it('of users passes the search on, and has tiers and the number of the page', async () => {
    const ada = { id: 'u1', email: 'ada@example.com', displayName: 'Ada', createdAt: AT };
    const users = [
      { ...ada, serviceAccess: [{ tier: 'pro', isPremium: true }] },
      { ...ada, id: 'u2', displayName: null, serviceAccess: [] },
    ];
    const list = async (pagination: object, ...options: readonly string[]) => {
      const listUsers = sinon.spy(async () => ({ users, pagination }));
      const output = await runLine(['users', 'list', ...options], { accounts: { listUsers } });
      return { ...output, search: (listUsers.args as unknown[][])[0] };
    };
    const options = '--tier pro --email ad --banned --disabled --unverified --operator --page 2 --limit 1';
    const secondPage = await list({ page: 2, totalPages: 3, totalCount: 3 }, ...options.split(' '));
    expect(secondPage.search).to.deep.equal([
      {
        ...{ tier: 'pro', emailBegins: 'ad', banned: true, disabled: true, unverified: true, operator: true },
        ...{ page: 2, limit: 1 },
      },
    ]);
    expect(rowsOf(secondPage.stdout)).to.deep.equal([
      'ID|EMAIL|NAME|TIER|PREMIUM|CREATED',
      `u1|ada@example.com|Ada|pro|true|${AT}`,
      `u2|ada@example.com|-|free|false|${AT}`,
    ]);
    expect(secondPage.stderr).to.equal('Page 2 of 3, 3 users.\n');
    for (const [page, totalPages, totalCount, sentence] of [
      [1, 1, 1, 'Page 1 of 1, 1 user.'],
      [1, 0, 0, 'No users.'],
      [2, 1, 2, 'There is no page 2: the last is 1, 2 users.'],
    ] as const)
      expect((await list({ page, totalPages, totalCount })).stderr).to.equal(`${sentence}\n`);
    const asJson = await list({ page: 1, totalPages: 1, totalCount: 2 }, '--json');
    expect([asJson.search, asJson.stderr]).to.deep.equal([[{}], '']);
    expect(documentsOf(asJson)).to.deep.equal(users);
  });

  it('of identities that were not bound has the reason for each, and counts those that were', async () => {
    const REASONS = {
      provider_not_set: 'the provider is not configured',
      not_of_the_provider: 'the id is not in the provider’s format',
      email_not_verified: 'the email is not verified',
      shared: 'several users have this identity',
      taken: 'another user signs in with it',
    };
    const identities = ['bound', ...Object.keys(REASONS), 'bound'].map((outcome) => ({
      ...{ email: 'ada@example.com', provider: 'google', providerAccountId: '1179', outcome },
    }));
    const call = sinon.spy(() => identities);
    const bind = (...options: readonly string[]) =>
      runLine(['users', 'bind-identities', ...options], withCall('accounts.operate.bindIdentities', call));
    const { stdout, stderr } = await bind();
    expect(rowsOf(stdout)).to.deep.equal([
      'EMAIL|PROVIDER|ACCOUNT|NOT BOUND',
      ...Object.values(REASONS).map((reason) => `ada@example.com|google|1179|${reason}`),
    ]);
    expect(stderr).to.equal('2 bound.\n');
    const dryRun = await bind('--dry-run', '--reason', 'test', '--json');
    expect(dryRun.stderr).to.equal('2 would be bound; nothing was written.\n');
    expect(documentsOf(dryRun)).to.deep.equal(identities.slice(1, -1));
    expect(call.args).to.deep.equal([
      [{ dryRun: false }, OPERATOR],
      [{ dryRun: true }, { ...OPERATOR, reason: 'test' }],
    ]);
  });
});

describe('A printed record', () => {
  it('of a user has one line for each member', async () => {
    const user = {
      ...{ userId: 'u1', passkeys: [], scopes: ['a', 'b'] },
      entitlements: [
        { service: 'DROP', tier: 'pro', connected: true, customStorageLimit: 5, customApiKeyLimit: 7 },
        {
          service: 'DISPATCH',
          tier: 'free',
          connected: false,
          customStorageLimit: null,
          customApiKeyLimit: null,
        },
      ],
      oauthAccounts: [
        { provider: 'google', providerAccountId: '1179', bound: true },
        { provider: 'github', providerAccountId: '7', bound: false },
      ],
      banned: { inForce: true, until: null, reason: 'spam' },
      disabled: { inForce: false, until: AT, reason: 'asked' },
      billing: {
        subscriptions: [AT, null].map((end) => ({
          productName: 'Pro',
          status: 'active',
          currentPeriodEnd: end,
        })),
      },
      formerDomains: [{ domain: 'old.example' }],
      customDomain: { domain: 'a.example', verified: false },
    };
    const show = (details: object, ...options: readonly string[]) =>
      runLine(
        ['users', 'show', 'u1', ...options],
        withCall('accounts.operate.showUser', async () => details),
      );
    const { stdout } = await show(user);
    expect(stdout.split('\n')[0]).to.equal('userId         u1');
    expect(rowsOf(stdout)).to.deep.equal([
      ...['userId|u1', 'passkeys|-', 'scopes|a, b'],
      'entitlements|DROP pro, connected, storage 5, API keys 7, DISPATCH free',
      'oauthAccounts|google 1179, github 7, not bound',
      'banned|yes, until further notice: spam',
      `disabled|expired, until ${AT}: asked`,
      `billing|Pro active, period to ${AT}, Pro active, period to ?`,
      ...['formerDomains|old.example', 'customDomain|a.example, not verified'],
    ]);
    const plain = { ...user, customDomain: { domain: 'a.example', verified: true }, billing: null };
    expect(rowsOf((await show(plain)).stdout)).to.include.members(['billing|-', 'customDomain|a.example']);
    expect(documentsOf(await show(user, '--json'))).to.deep.equal([user]);
  });

  it('of a user export is one document, on one line with --json', async () => {
    const call = sinon.spy(async () => ({ user: { id: 'u1' } }));
    const read = (...options: readonly string[]) =>
      runLine(['users', 'export', 'u1', ...options], withCall('accounts.operate.exportUser', call));
    expect((await read()).stdout).to.equal('{\n  "user": {\n    "id": "u1"\n  }\n}\n');
    expect((await read('--json')).stdout).to.equal('{"user":{"id":"u1"}}\n');
    expect(call.args).to.deep.equal([
      ['u1', OPERATOR],
      ['u1', OPERATOR],
    ]);
  });

  it('of the statistics has the free users, and the users of each tier', async () => {
    const stats = async () => ({
      ...{ total: 9, premium: 4, byTier: { pro: 3, team: 1 } },
      ...{ verified: 8, twoFactor: 7, banned: 2, disabled: 1 },
    });
    const product = {
      accounts: { operate: { stats } },
      files: { operate: { totals: async () => ({ files: 5, bytes: 600 }) } },
    };
    const rest = { verified: 8, twoFactor: 7, banned: 2, disabled: 1, files: 5, bytes: 600 };
    const all = { totalUsers: 9, premiumUsers: 4, freeUsers: 5 };
    const lines = Object.entries({ ...all, 'tier pro': 3, 'tier team': 1, ...rest });
    expect(rowsOf((await runLine(['stats'], product)).stdout)).to.deep.equal(
      lines.map(([name, count]) => `${name}|${count}`),
    );
    expect(documentsOf(await runLine(['stats', '--json'], product))).to.deep.equal([
      { ...all, byTier: { pro: 3, team: 1 }, ...rest },
    ]);
  });

  it('of the settings has the effective values', async () => {
    const settings = () => ({ ACCOUNTS_PORT: 4_000, HOST: '::' });
    const check = (...options: readonly string[]) =>
      runLine(['config', 'check', ...options], {}, { settings });
    expect((await check()).stdout).to.equal('ACCOUNTS_PORT  4000\nHOST           ::\n');
    expect(documentsOf(await check('--json'))).to.deep.equal([{ ACCOUNTS_PORT: 4_000, HOST: '::' }]);
  });
});

describe('audit verify', () => {
  const sound = { intact: true, rows: 3, erased: 1, head: '3:abc', broken: null };
  const verifyAudit = sinon.stub();
  const verify = (verdict: object, ...options: readonly string[]) => {
    verifyAudit.resetHistory();
    verifyAudit.resolves(verdict);
    return runLine(['audit', 'verify', ...options], { accounts: { operate: { verifyAudit } } });
  };

  it('prints the head of an intact log, and passes a given head on', async () => {
    const { status, stdout, stderr } = await verify(sound, '--head', '2:def');
    expect([status, stderr, verifyAudit.args]).to.deep.equal([0, '', [['2:def']]]);
    expect(rowsOf(stdout)).to.deep.equal(['intact|true', 'rows|3', 'erased|1', 'head|3:abc']);
  });

  it('exits with 1 and names the first broken row', async () => {
    const broken = { number: 2, fault: 'changed', problem: 'its content was altered' };
    const verdict = { ...sound, intact: false, broken };
    const { status, stdout, stderr } = await verify(verdict);
    expect([status, stderr]).to.deep.equal([1, 'Row 2 is broken (changed): its content was altered.\n']);
    expect(stdout).not.to.include('altered');
    const asJson = await verify(verdict, '--json');
    expect([asJson.status, documentsOf(asJson)]).to.deep.equal([1, [verdict]]);
  });

  it('sets its exit code before it prints, because a reader that closes the pipe ends the process', async () => {
    let codeAtOutput: unknown;
    const broken = { number: 2, fault: 'changed', problem: 'its content was altered' };
    await verify({
      ...sound,
      broken,
      get head() {
        codeAtOutput = process.exitCode;
        return null;
      },
    });
    expect(codeAtOutput).to.equal(1);
  });
});
