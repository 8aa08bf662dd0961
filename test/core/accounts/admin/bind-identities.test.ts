import { expect } from 'chai';
import { makeLoginKeys } from '../../../../core/accounts/claim-login-keys.ts';
import type { BoundIdentity } from '../../../../core/index.ts';
import { provider, scriptedProviders } from '../../../support/scripted-providers.ts';
import { caller, openPorts } from '../open-core.ts';
import { by, type Operated, openOperated } from './open-operated.ts';

const identity = (providerAccountId: string, name = 'example') => ({ provider: name, providerAccountId });

const LINES = [
  { email: 'ada@example.com', emailVerified: true, oauthAccounts: [identity('1'), identity('1', 'another')] },
  { email: 'bob@example.com', emailVerified: true, oauthAccounts: [identity('2')] },
  { email: 'cyd@example.com', emailVerified: true, oauthAccounts: [identity('2')] },
  { email: 'dora@example.com', emailVerified: false, oauthAccounts: [identity('3')] },
  { email: 'eve@example.com', emailVerified: true, oauthAccounts: [identity('no such subject')] },
];

const LEFT = {
  'ada another 1': 'provider_not_set',
  'bob example 2': 'shared',
  'cyd example 2': 'shared',
  'dora example 3': 'email_not_verified',
  'eve example no such subject': 'not_of_the_provider',
};

describe('Imported identities', () => {
  let operated: Operated;

  beforeEach(async () => {
    const context = openPorts();
    const { port } = scriptedProviders([provider()]);
    const providers = {
      ...port,
      issuerOf: (id: string, subject: string) =>
        /^\d+$/.test(subject) ? port.issuerOf(id, subject) : undefined,
    };
    operated = await openOperated({ ...context, ports: { ...context.ports, providers } });
  });

  const take = async (lines: readonly object[], dryRun = false) => {
    const invalidLines: string[] = [];
    async function* texts() {
      for (const line of lines) yield JSON.stringify(line);
    }
    const counts = await operated.operate.importUsers(
      texts(),
      { dryRun, onBad: (_, problem) => invalidLines.push(problem), onProgress: () => undefined },
      by(),
    );
    return { ...counts, bad: invalidLines };
  };
  const bind = async (dryRun = false) => {
    const outcomes: Record<string, BoundIdentity['outcome']> = {};
    for await (const one of operated.operate.bindIdentities({ dryRun }, by('new provider'))) {
      const name = one.email.replace(/@.*/, '');
      outcomes[`${name} ${one.provider} ${one.providerAccountId}`] = one.outcome;
    }
    return outcomes;
  };
  const accountOf = async (email: string) => operated.ports.accounts.findByEmail(email);

  it('open nothing until they are bound, and then the one account that has them', async () => {
    await take(LINES);
    const { loginKeys } = (await accountOf('ada@example.com')) ?? {};
    expect(loginKeys).to.deep.equal([]);

    expect(await bind(true)).to.deep.equal({ 'ada example 1': 'bound', ...LEFT });
    expect((await accountOf('ada@example.com'))?.loginKeys).to.deep.equal([]);
    expect(await bind()).to.deep.equal({ 'ada example 1': 'bound', ...LEFT });

    const ada = await accountOf('ada@example.com');
    const key = ada?.oauthAccounts[0]?.key ?? '';
    expect(ada?.oauthAccounts.map((one) => one.key)).to.deep.equal([key, undefined]);
    const owner = await makeLoginKeys(operated.ports).find(key);
    expect([owner?.account.email, owner?.claimed]).to.deep.equal(['ada@example.com', true]);
    const rows = await operated.rowsAbout('ada@example.com');
    expect(rows.map(({ action }) => action)).to.deep.equal(['user.imported', 'identity.bound']);
    expect(rows.at(-1)).to.deep.include({ reason: 'new provider', after: { provider: 'example' } });
    for (const { email } of LINES.slice(1)) expect((await accountOf(email))?.loginKeys).to.deep.equal([]);

    expect(await bind(), 'a second time').to.deep.equal(LEFT);
    expect(await operated.rowsAbout('ada@example.com')).to.have.length(2);
  });

  it('are not bound where another user signs in with them by now', async () => {
    await take(LINES.slice(0, 1));
    await bind();
    await take([{ email: 'thief@example.com', emailVerified: true, oauthAccounts: [identity('9')] }]);
    const { id = '' } = (await accountOf('thief@example.com')) ?? {};
    await operated.edit(id, { oauthAccounts: [{ ...identity('1'), email: null, createdAt: '' }] });
    expect(await bind()).to.include({ 'thief example 1': 'taken' });
  });

  it('make a line bad once they are bound to somebody else, and no other line', async () => {
    await take(LINES);
    const newcomer = (id: string) => ({ email: `n${id}@example.com`, oauthAccounts: [identity(id)] });
    expect(await take([newcomer('1')], true)).to.deep.include({ added: 1, bad: [] });
    await bind();
    for (const dryRun of [true, false]) {
      const {
        added,
        skipped,
        bad: invalidLines,
      } = await take([newcomer('1'), newcomer('2'), ...LINES], dryRun);
      expect([added, skipped]).to.deep.equal([1, LINES.length]);
      expect(invalidLines).to.deep.equal([
        'oauthAccounts must have no identity with which another user signs in.',
      ]);
    }
  });

  it('stay unbound where the email is found not verified at last', async () => {
    const { ports } = operated;
    let finds = 0;
    const accounts = {
      ...ports.accounts,
      // Between the look at an account and its change, somebody else's write.
      find: async (id: string) => {
        const found = await ports.accounts.find(id);
        finds += 1;
        return found && { ...found, verified: finds === 1 };
      },
    };
    operated = await openOperated({ ...openPorts(), ports: { ...ports, accounts } });
    await take(LINES.slice(0, 1));
    finds = 0;
    expect(await bind()).to.include({ 'ada example 1': 'email_not_verified' });
    expect((await accountOf('ada@example.com'))?.loginKeys).to.deep.equal([]);
  });

  it('are passed over where the account is deleted at last, and the others are bound', async () => {
    const { ports } = operated;
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
    operated = await openOperated({ ...openPorts(), ports: { ...ports, accounts } });
    await take([
      LINES[0] ?? {},
      { email: 'flo@example.com', emailVerified: true, oauthAccounts: [identity('5')] },
    ]);
    finds = 0;
    const outcomes = await bind();
    expect(outcomes).to.include({ 'flo example 5': 'bound' }).and.not.to.have.property('ada example 1');
  });

  it('of an email that an operator takes as verified go, too', async () => {
    await take([{ email: 'dora@example.com', oauthAccounts: [identity('3')] }]);
    await operated.accounts.operate.takeEmailAsVerified('dora@example.com', by());
    expect(await bind()).to.deep.equal({});
    expect((await accountOf('dora@example.com'))?.oauthAccounts).to.deep.equal([]);
  });

  it('of an email that nobody had verified go once its owner has, and open nothing', async () => {
    const planted = { email: 'dora@example.com', oauthAccounts: [identity('3')] };
    await take([planted, { ...planted, email: 'finn@example.com', oauthAccounts: [identity('4')] }]);
    await operated.signUp('dora@example.com');
    const { accounts, codeTo } = operated;
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
