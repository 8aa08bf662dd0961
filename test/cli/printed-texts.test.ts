import { expect } from 'chai';
import sinon from 'sinon';
import { rejectionOf } from '../contracts/rejection.ts';
import { documentsOf } from './run-command.ts';
import { recorded, recordWork, rowsOf, runLine } from './run-line.ts';

/** The text that a line writes to both streams, and its exit code. */
const runWith = async (line: readonly string[], product: object, tools: object = {}) => {
  const { stdout, stderr, status } = await runLine(line, product, tools);
  return { output: stdout + stderr, status };
};

describe('The webhooks commands', () => {
  const fake = (calls: object) => ({
    accounts: { operate: { recordWork } },
    webhooks: { operate: calls },
  });
  /** A call that begins its work and returns this count. */
  const beginning = (count: number) =>
    sinon.spy(async (_: unknown, begin: () => Promise<void>) => {
      await begin();
      return count;
    });
  const selectionsOf = ({ args }: ReturnType<typeof beginning>) => args.map(([selection]) => selection);

  it('retry one delivery or all, and write an audit row before and after', async () => {
    const retryDeliveries = beginning(3);
    const { output } = await runWith(['webhooks', 'retry'], fake({ retryDeliveries }));
    expect([output, selectionsOf(retryDeliveries)]).to.deep.equal(['3 due now.\n', [null]]);
    expect(recorded).to.deep.equal({
      ...{ name: 'webhooks.retry', done: 'webhooks.retried', target: 'webhooks' },
      ...{ after: { count: 3 }, started: true },
    });
    await runWith(['webhooks', 'retry', 'd1'], fake({ retryDeliveries }));
    expect([recorded.target, selectionsOf(retryDeliveries)[1]]).to.deep.equal(['d1', 'd1']);
  });

  it('discard one delivery or those to an address, which the audit row has without its query', async () => {
    const discardDeliveries = beginning(2);
    const product = fake({ discardDeliveries });
    const address = 'https://a.example/hooks?secret=1';
    const { output } = await runWith(['webhooks', 'discard', '--address', address], product);
    expect([output, selectionsOf(discardDeliveries)]).to.deep.equal([
      '2 discarded.\n',
      [{ endpoint: address }],
    ]);
    expect(recorded).to.deep.equal({
      ...{ name: 'webhooks.discard', done: 'webhooks.discarded', target: 'webhooks', started: true },
      after: { count: 2, address: 'https://a.example/hooks' },
    });
    await runWith(['webhooks', 'discard', 'd1'], product);
    expect([recorded.target, recorded.after]).to.deep.equal(['d1', { count: 2 }]);
    for (const choice of [[], ['d1', '--address', address]])
      expect(await rejectionOf(() => runWith(['webhooks', 'discard', ...choice], product))).to.include({
        code: 'invalid_request',
      });
    expect(selectionsOf(discardDeliveries)).to.deep.equal([{ endpoint: address }, { id: 'd1' }]);
  });

  it('exit with 1 if a test message is not accepted', async () => {
    const tryWith = (delivery: object) =>
      runWith(['webhooks', 'test', 'https://a.example/hooks'], fake({ tryEndpoint: async () => delivery }));
    expect(await tryWith({ outcome: 'again', failure: 'status 500' })).to.deep.equal({
      ...{ output: 'Not delivered: status 500.\n', status: 1 },
    });
  });
});

describe('The billing commands', () => {
  const fake = (operate: object) => ({
    accounts: { operate: { recordWork, findUser: async () => ({ id: 'u1' }) } },
    billing: { operate },
  });

  it('exit with 1 while deliveries cannot be applied', async () => {
    const replay = async (_: string | null, recordStart: () => Promise<void>) => {
      await recordStart();
      return { replayed: 3, left: 1 };
    };
    const { output, status } = await runWith(['billing', 'replay'], fake({ replay }));
    expect([output, status]).to.deep.equal(['Tried 3 again; 1 cannot be applied.\n', 1]);
    expect(recorded).to.deep.equal({
      ...{ name: 'billing.replay', done: 'billing.replayed', target: 'billing' },
      ...{ after: { replayed: 3, left: 1 }, started: true },
    });
  });

  it('reconcile one user or all, print how many requests failed, and then exit with 1', async () => {
    const operateOn = {
      countCustomers: async () => 5,
      reconcile: async () => undefined,
      reconcileAll: async () => ({ asked: 4, failed: 1 }),
    };
    const ofOneUser = await runWith(['billing', 'reconcile', 'ada@example.com'], fake(operateOn));
    expect(ofOneUser).to.deep.equal({ output: 'Asked about 1 user; 0 failed.\n', status: 0 });
    expect(recorded).to.deep.equal({
      ...{ name: 'billing.reconcile', done: 'billing.reconciled', target: 'u1' },
      ...{ after: { asked: 1, failed: 0 }, started: true },
    });
    const { output, status } = await runWith(['billing', 'reconcile'], fake(operateOn));
    expect(output).to.include('Asked about 4 users; 1 failed.\n');
    expect(output).to.include('The users of failed requests stay unchanged.\n');
    expect([status, recorded.target]).to.deep.equal([1, 'billing']);
  });

  it('replay one delivery, and exit with 0 if all are applied', async () => {
    const replay = sinon.spy(async () => ({ replayed: 1, left: 0 }));
    const product = fake({ replay });
    const { status } = await runWith(['billing', 'replay', '--event', 'msg_1'], product);
    expect([status, (replay.args as unknown[][])[0]?.[0]]).to.deep.equal([0, 'msg_1']);
    const asJson = await runLine(['billing', 'replay', '--json'], product);
    expect(documentsOf(asJson)).to.deep.equal([{ replayed: 1, left: 0 }]);
    expect((replay.args as unknown[][])[1]?.[0]).to.equal(null);
  });
});

describe('users delete', () => {
  const receipt = {
    ...{ userId: 'u1', deletedAt: '2026-01-01T00:00:00.000Z', outstanding: ['files'] },
    removed: [{ what: 'sessions', where: 'store', count: 2 }],
    kept: [{ what: 'rows without content', where: 'the audit log' }],
  };
  const product = {
    accounts: {
      operate: {
        findUser: async () => ({ id: 'u1', email: 'ada@example.com' }),
        deleteUser: async () => receipt,
      },
    },
  };

  it('prints what was removed, what is kept, and what is left to the servers', async () => {
    const { output } = await runWith(['users', 'delete', 'ada@example.com', '--yes'], product);
    const lines = rowsOf(output);
    expect(lines).to.include.members([
      'REMOVED|WHERE|COUNT',
      'sessions|store|2',
      'ada@example.com was deleted at 2026-01-01T00:00:00.000Z; only the id u1 is left.',
      'Kept in the audit log: rows without content.',
      'Left to the servers: files.',
    ]);
  });
});

describe('keys retire with a signing key', () => {
  const product = { accounts: { operate: { recordWork } } };
  const retire = (state: string | undefined, ...options: readonly string[]) => {
    const retireSigning = sinon.spy(async () => undefined);
    const list = async () => (state === undefined ? [] : [{ id: 'k1', kind: 'signing', state }]);
    const keys = { list, retireSigning };
    return { retireSigning, run: () => runWith(['keys', 'retire', 'k1', ...options], product, { keys }) };
  };

  it('retires a key whose tokens may be valid only with --yes, and writes an audit row', async () => {
    const unconfirmed = retire('old');
    expect(String(await rejectionOf(unconfirmed.run))).to.include('repeat the command with --yes');
    expect(unconfirmed.retireSigning.callCount).to.equal(0);
    const confirmed = retire('old', '--yes');
    expect(await confirmed.run()).to.deep.equal({ output: 'Retired the signing key k1.\n', status: 0 });
    expect(confirmed.retireSigning.args).to.deep.equal([['k1']]);
    expect(recorded).to.deep.equal({
      ...{ name: 'keys.retire', done: 'keys.retired', target: 'key:k1' },
      ...{ after: { kind: 'signing' }, started: true },
    });
  });

  it('writes no audit row before the work for an unknown key', async () => {
    await retire(undefined).run();
    expect(recorded.started).to.equal(false);
  });
});

describe('store backup', () => {
  const nothingLeftOut = { keyFiles: [], secretSettings: [], mail: null, bucket: null, sandbox: null };
  const record = sinon.spy(async () => undefined);
  const backUp = (report: object) =>
    runWith(
      ['store', 'backup', 'all.tar'],
      { accounts: { operate: { record } } },
      {
        store: {
          backup: async () => ({ file: 'all.tar', bytes: 9, objects: 1, leftOut: nothingLeftOut, ...report }),
        },
      },
    );

  it('names what the backup does not contain', async () => {
    expect((await backUp({})).output).to.equal('Wrote all.tar: 9 bytes, 1 avatars.\n');
    const leftOut = {
      keyFiles: ['keys.json'],
      secretSettings: ['HASH_KEY'],
      mail: 'mail/',
      bucket: 'avatars',
      sandbox: 'sandbox/',
    };
    const { output } = await backUp({ leftOut });
    expect(output.trim().split('\n').slice(1)).to.deep.equal([
      'Not in the backup, keep it safe elsewhere: keys.json',
      'Not in the backup, keep it safe elsewhere: the value of HASH_KEY',
      'Not in the backup, since a bucket stores the avatars: avatars',
      'Not in the backup, since mail is only in transit: mail/',
      'Not in the backup, copy it to keep subscriptions of the sandbox: sandbox/',
    ]);
  });

  it('writes an audit row, unless the store has an older schema', async () => {
    record.resetHistory();
    await backUp({});
    expect((record.args as unknown[][])[0]?.slice(0, 3)).to.deep.equal([
      ...['store.backed_up', 'store'],
      { objects: 1, bytes: 9 },
    ]);
    const { output } = await backUp({ isOlder: true });
    expect(output).to.include('Not recorded in the audit log: the store has an older schema.');
    expect(record.callCount).to.equal(1);
  });
});
