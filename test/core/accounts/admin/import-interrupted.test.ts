import { expect } from 'chai';
import { remoteStoreUnavailable } from '../../../../adapters/calls/store-calls.ts';
import { createAccounts, type ImportOptions } from '../../../../core/index.ts';
import { openPorts } from '../open-core.ts';
import { by } from './open-admin-accounts.ts';

const COUNT = 300;

async function* lines(): AsyncGenerator<string> {
  for (let place = 0; place < COUNT; place += 1) yield JSON.stringify({ email: `u${place}@example.com` });
}

const options: ImportOptions = { dryRun: false, onBad: () => undefined, onProgress: () => undefined };

describe('An import of users that fails between its audit rows and the accounts', () => {
  /** The core with a store that fails `failures` times after the audit rows are written. */
  const open = async (failures: number, { ports } = openPorts()) => {
    let remaining = failures;
    const accounts: typeof ports.accounts = {
      ...ports.accounts,
      addAll: (additions, before) =>
        ports.accounts.addAll(additions, async (next) => {
          await before(next);
          remaining -= 1;
          if (remaining >= 0) throw remoteStoreUnavailable();
        }),
    };
    const { open: openAccounts, operate } = createAccounts({ ...ports, accounts });
    await openAccounts();
    const targets = async () => {
      const userIds: string[] = [];
      for await (const { action, target } of operate.listAudit({}))
        if (action === 'user.imported') userIds.push(target);
      return userIds;
    };
    const idOf = async (place: number) => (await ports.accounts.findByEmail(`u${place}@example.com`))?.id;
    const ids = async () => Promise.all(Array.from({ length: COUNT }, (_, place) => idOf(place)));
    return { operate, targets, ids };
  };

  it('continues when the store is back, and has one audit row for each user', async () => {
    const { operate, targets, ids } = await open(2);
    const counts = await operate.importUsers(lines(), { ...options, pause: async () => undefined }, by());
    expect(counts).to.include({ added: COUNT, skipped: 0, bad: 0 });
    expect((await targets()).sort()).to.deep.equal((await ids()).sort());
  });

  it('has an audit row for each user after a second run, beside the rows of the failed run', async () => {
    const context = openPorts();
    const first = await open(Number.POSITIVE_INFINITY, context);
    const error = await first.operate.importUsers(lines(), options, by()).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'store_unavailable');
    const before = await first.targets();
    expect(before).not.to.deep.equal([]);
    expect(await first.ids()).to.deep.equal(Array.from({ length: COUNT }, () => undefined));
    const { operate, targets, ids } = await open(0, context);
    expect(await operate.importUsers(lines(), options, by())).to.include({ added: COUNT });
    expect((await targets()).sort()).to.deep.equal([...before, ...(await ids())].sort());
  });
});
