import { expect } from 'chai';
import sinon from 'sinon';
import type { CommandContext } from '../../cli/context.ts';
import { makeProgram } from '../../cli/program.ts';

const limits = { customStorageLimit: 1e12, customApiKeyLimit: null };
const setTier = sinon.spy(async () => ({ changed: true, entitlement: { tier: 'pro' } }));
const operate = {
  setTier,
  createUser: async ({ email }: { readonly email: string }) => ({ userId: 'id', email, changed: true }),
  showUser: async () => ({
    ...{ banned: null, disabled: null, billing: null, customDomain: null },
    entitlements: [{ service: 'DROP', tier: 'pro', connected: false, ...limits }],
    oauthAccounts: [],
    formerDomains: [],
  }),
};
const open = (job: (product: never) => Promise<unknown>) => job({ accounts: { operate } } as never);

/** What such a line writes, to whichever stream. */
const saidBy = async (line: readonly string[], more: object = {}): Promise<string> => {
  const by = () => ({ actor: 'operator:cli' });
  const context = { by, withChanges: open, withReadOnly: open, ...more } as unknown as CommandContext;
  const outputs = [process.stdout, process.stderr].map((stream) => sinon.stub(stream, 'write'));
  try {
    await makeProgram(context).parseAsync(line, { from: 'user' });
  } finally {
    for (const output of outputs) output.restore();
  }
  return outputs.flatMap(({ args }) => args.map(([text]) => String(text))).join('');
};

describe('The users commands, to people', () => {
  it('say which code an account that they made is mailed', async () => {
    const create = (...options: readonly string[]) =>
      saidBy(['users', 'create', 'ada@example.com', ...options]);
    expect(await create()).to.include('for ada@example.com. A code to verify the email is mailed.');
    expect(await create('--verified')).to.include('Nothing is mailed.');
    expect(await create('--verified', '--send-reset')).to.include('A code to set a password is mailed.');
  });

  it('show the limits that are the user’s own', async () => {
    expect(await saidBy(['users', 'show', 'ada@example.com'])).to.match(
      /^entitlements +DROP pro, storage 1000000000000$/m,
    );
  });
});

describe('A tier set at the command line', () => {
  const setBy = async (...options: readonly string[]): Promise<unknown> => {
    setTier.resetHistory();
    await saidBy(['tier', 'set', 'ada@example.com', 'pro', ...options]);
    return (setTier.args as unknown[][])[0]?.[1];
  };

  it('takes a limit away with none, sets those that are given, and leaves the others', async () => {
    expect(await setBy('--storage', 'none', '--api-keys', 'none')).to.deep.equal({
      tier: 'pro',
      customStorageLimit: null,
      customApiKeyLimit: null,
    });
    expect(await setBy('--storage', '1TB')).to.deep.equal({ tier: 'pro', customStorageLimit: 1e12 });
    expect(await setBy('--api-keys', '0')).to.deep.equal({ tier: 'pro', customApiKeyLimit: 0 });
    expect(await setBy()).to.deep.equal({ tier: 'pro' });
  });
});

describe('store migrate', () => {
  const migrate = (before: number, now: number) =>
    saidBy(['store', 'migrate'], { store: { migrate: async () => ({ before, now }) } });

  it('says between which schemas it went', async () => {
    expect(await migrate(8, 13)).to.equal('Upgraded the schema from 8 to 13.\n');
  });

  it('does not say that nothing was due, since indexes are made without a new schema', async () => {
    expect(await migrate(1, 1)).to.equal('Schema and indexes are up to date (schema 1).\n');
  });
});
