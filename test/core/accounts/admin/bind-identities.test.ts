import { expect } from 'chai';
import { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import type { BoundIdentity } from '../../../../core/index.ts';
import { provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { caller, openPorts } from '../open-core.ts';
import { type AdminContext, by, openAdminAccounts } from './open-admin-accounts.ts';

const identity = (providerAccountId: string, name = 'example') => ({ provider: name, providerAccountId });

const LINES = [
  { email: 'ada@example.com', emailVerified: true, oauthAccounts: [identity('1'), identity('1', 'another')] },
  { email: 'bob@example.com', emailVerified: true, oauthAccounts: [identity('2')] },
  { email: 'cyd@example.com', emailVerified: true, oauthAccounts: [identity('2')] },
  { email: 'dora@example.com', emailVerified: false, oauthAccounts: [identity('3')] },
  { email: 'eve@example.com', emailVerified: true, oauthAccounts: [identity('no such subject')] },
];

const UNBOUND_OUTCOMES = {
  'ada another 1': 'provider_not_set',
  'bob example 2': 'shared',
  'cyd example 2': 'shared',
  'dora example 3': 'email_not_verified',
  'eve example no such subject': 'not_of_the_provider',
};

describe('Imported identities', () => {
  let core: AdminContext;

  beforeEach(async () => {
    const context = openPorts();
    const { port } = scriptedProviders([provider()]);
    const providers = {
      ...port,
      issuerOf: (id: string, subject: string) =>
        /^\d+$/.test(subject) ? port.issuerOf(id, subject) : undefined,
    };
    core = await openAdminAccounts({ ...context, ports: { ...context.ports, providers } });
  });

  const importLines = async (lines: readonly object[], dryRun = false) => {
    const invalidLines: string[] = [];
    async function* texts() {
      for (const line of lines) yield JSON.stringify(line);
    }
    const counts = await core.operate.importUsers(
      texts(),
      { dryRun, onBad: (_, problem) => invalidLines.push(problem), onProgress: () => undefined },
      by(),
    );
    return { ...counts, bad: invalidLines };
  };
  const bind = async (dryRun = false) => {
    const outcomes: Record<string, BoundIdentity['outcome']> = {};
    for await (const result of core.operate.bindIdentities({ dryRun }, by('new provider'))) {
      const name = result.email.replace(/@.*/, '');
      outcomes[`${name} ${result.provider} ${result.providerAccountId}`] = result.outcome;
    }
    return outcomes;
  };
  const accountOf = async (email: string) => core.ports.accounts.findByEmail(email);

  it('open an account only after they are bound, and only if one account has them', async () => {
    await importLines(LINES);
    const { loginKeys } = (await accountOf('ada@example.com')) ?? {};
    expect(loginKeys).to.deep.equal([]);

    expect(await bind(true)).to.deep.equal({ 'ada example 1': 'bound', ...UNBOUND_OUTCOMES });
    expect((await accountOf('ada@example.com'))?.loginKeys).to.deep.equal([]);
    expect(await bind()).to.deep.equal({ 'ada example 1': 'bound', ...UNBOUND_OUTCOMES });

    const ada = await accountOf('ada@example.com');
    const key = ada?.oauthAccounts[0]?.key ?? '';
    expect(ada?.oauthAccounts.map((account) => account.key)).to.deep.equal([key, undefined]);
    const owner = await makeLoginKeys(core.ports).find(key);
    expect([owner?.account.email, owner?.claimed]).to.deep.equal(['ada@example.com', true]);
    const rows = await core.rowsAbout('ada@example.com');
    expect(rows.map(({ action }) => action)).to.deep.equal(['user.imported', 'identity.bound']);
    expect(rows.at(-1)).to.deep.include({ reason: 'new provider', after: { provider: 'example' } });
    for (const { email } of LINES.slice(1)) expect((await accountOf(email))?.loginKeys).to.deep.equal([]);

    expect(await bind(), 'repeated binding').to.deep.equal(UNBOUND_OUTCOMES);
    expect(await core.rowsAbout('ada@example.com')).to.have.length(2);
  });

  it('are not bound if another user already signs in with them', async () => {
    await importLines(LINES.slice(0, 1));
    await bind();
    await importLines([{ email: 'thief@example.com', emailVerified: true, oauthAccounts: [identity('9')] }]);
    const { id = '' } = (await accountOf('thief@example.com')) ?? {};
    await core.edit(id, { oauthAccounts: [{ ...identity('1'), email: null, createdAt: '' }] });
    expect(await bind()).to.include({ 'thief example 1': 'taken' });
  });

  it('make an import line invalid only if they are bound to another user', async () => {
    await importLines(LINES);
    const newUser = (id: string) => ({ email: `n${id}@example.com`, oauthAccounts: [identity(id)] });
    expect(await importLines([newUser('1')], true)).to.deep.include({ added: 1, bad: [] });
    await bind();
    for (const dryRun of [true, false]) {
      const {
        added,
        skipped,
        bad: invalidLines,
      } = await importLines([newUser('1'), newUser('2'), ...LINES], dryRun);
      expect([added, skipped]).to.deep.equal([1, LINES.length]);
      expect(invalidLines).to.deep.equal([
        'oauthAccounts must have no identity with which another user signs in.',
      ]);
    }
  });

  it('stay unbound if the email is no longer verified when the account is written', async () => {
    const { ports } = core;
    let finds = 0;
    const accounts = {
      ...ports.accounts,
      // Another write lands between the read of the account and its change.
      find: async (id: string) => {
        const account = await ports.accounts.find(id);
        finds += 1;
        return account && { ...account, verified: finds === 1 };
      },
    };
    core = await openAdminAccounts({ ...openPorts(), ports: { ...ports, accounts } });
    await importLines(LINES.slice(0, 1));
    finds = 0;
    expect(await bind()).to.include({ 'ada example 1': 'email_not_verified' });
    expect((await accountOf('ada@example.com'))?.loginKeys).to.deep.equal([]);
  });

  it('are skipped if their account is deleted meanwhile, while the others are bound', async () => {
    const { ports } = core;
    let finds = 0;
    const accounts = {
      ...ports.accounts,
      find: async (id: string) => {
        const account = await ports.accounts.find(id);
        if (account?.email !== 'ada@example.com') return account;
        finds += 1;
        return finds === 1 ? account : undefined;
      },
    };
    core = await openAdminAccounts({ ...openPorts(), ports: { ...ports, accounts } });
    await importLines([
      LINES[0] ?? {},
      { email: 'flo@example.com', emailVerified: true, oauthAccounts: [identity('5')] },
    ]);
    finds = 0;
    const outcomes = await bind();
    expect(outcomes).to.include({ 'flo example 5': 'bound' }).and.not.to.have.property('ada example 1');
  });

  it('are deleted if an operator marks the unverified email as verified', async () => {
    await importLines([{ email: 'dora@example.com', oauthAccounts: [identity('3')] }]);
    await core.accounts.operate.takeEmailAsVerified('dora@example.com', by());
    expect(await bind()).to.deep.equal({});
    expect((await accountOf('dora@example.com'))?.oauthAccounts).to.deep.equal([]);
  });

  it('are deleted if the owner verifies the unverified email, and open no account', async () => {
    const planted = { email: 'dora@example.com', oauthAccounts: [identity('3')] };
    await importLines([planted, { ...planted, email: 'finn@example.com', oauthAccounts: [identity('4')] }]);
    await core.signUp('dora@example.com');
    const { accounts, codeTo } = core;
    await accounts.resendVerification({ email: 'finn@example.com' }, caller);
    const code = await codeTo('finn@example.com');
    await accounts.verifyEmail({ email: 'finn@example.com', code }, caller);

    expect(await bind()).to.deep.equal({});
    for (const email of ['dora@example.com', 'finn@example.com']) {
      const { verified, oauthAccounts, loginKeys } = (await accountOf(email)) ?? {};
      expect({ verified, oauthAccounts, loginKeys }).to.deep.equal({
        ...{ verified: true, oauthAccounts: [], loginKeys: [] },
      });
    }
  });
});
