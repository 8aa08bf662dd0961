import { expect } from 'chai';
import sinon from 'sinon';
import type { CommandContext } from '../../cli/context.ts';
import { rotateMaster } from '../../cli/master-keys.ts';
import { rejectionOf } from '../contracts/rejection.ts';
import { documentsOf } from './run-command.ts';
import { collect, onTerminal, recorded, recordWork, rowsOf, runLine } from './run-line.ts';

type Counts = Readonly<Record<string, number>>;

/**
 * A product: each pass over secrets or records re-encrypts the next number of the list, and afterwards each key has the
 * given number of values. Each pass over records finds `failed` values that cannot be decrypted.
 */
const productOf = (
  secrets: readonly number[],
  records: readonly number[],
  secretsBy: Counts,
  recordsBy: Counts,
  failed = 0,
) => {
  const passes = (counts: readonly number[], failed: number) => {
    const remaining = [...counts];
    return async (onProgress: (progress: { readonly resealed: number }) => void) => {
      const resealed = remaining.shift() ?? 0;
      if (resealed > 0) onProgress({ resealed });
      return { resealed, failed };
    };
  };
  const byKey = (counts: Counts) => async () =>
    new Map(Object.entries(counts).map(([key, count]) => [key === 'unknown' ? null : key, count]));
  const files = {
    masterKey: async () => 'old',
    reseal: passes(records, failed),
    countByKey: byKey(recordsBy),
  };
  const accounts = { recordWork, resealSecrets: passes(secrets, 0), countSealed: byKey(secretsBy) };
  return {
    accounts: { operate: accounts },
    files: { operate: { ...files, outdateCache: sinon.spy(async () => undefined) } },
    rotateMasterKey: sinon.spy(async () => 'new'),
  };
};

describe('keys rotate --kind master', () => {
  const rotate = async (product: ReturnType<typeof productOf>, ...options: readonly string[]) => {
    const { status, stderr, stdout } = await runLine(
      ['keys', 'rotate', '--kind', 'master', ...options],
      product,
    );
    const lines = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => line !== '');
    return [status, product.rotateMasterKey.callCount, ...lines];
  };
  const RESUMED = [
    'Some values were still under an older key: they are re-encrypted now, without a new key.',
    'To rotate the key, run the command again.',
  ];

  it('re-encrypts everything with a new key, and writes an audit row', async () => {
    expect(await rotate(productOf([0, 2], [0, 3], { new: 2 }, { new: 3, unknown: 4 }))).to.deep.equal([
      ...[0, 1, '4 records hold wrapped keys of an unknown format; they stay unchanged.'],
      'The master key new is current; 5 values re-encrypted, 0 left.',
    ]);
    expect(recorded).to.deep.equal({
      ...{ name: 'keys.rotate', done: 'keys.rotated', target: 'keys:master', made: 'key:new' },
      ...{ after: { kind: 'master' }, started: true },
    });
  });

  it('re-encrypts values of an older key without creating a key', async () => {
    const outcome = 'The master key old is current; 1 values re-encrypted, 0 left.';
    for (const product of [productOf([1], [0], {}, {}), productOf([0], [1], {}, {})])
      expect(await rotate(product)).to.deep.equal([0, 0, ...RESUMED, outcome]);
  });

  it('exits with 1 if values of another key are left, and prints whether they can be decrypted', async () => {
    const product = (failed: number) => productOf([1], [0], { old: 9, lost: 2 }, { lost: 1 }, failed);
    const lost = 'The values that are left cannot be decrypted with any available key; each is listed above.';
    const storedMeanwhile =
      'The values that are left were stored meanwhile, under an older key: run the command again.';
    const outcome = 'The master key old is current; 1 values re-encrypted, 3 left.';
    expect(await rotate(product(3))).to.deep.equal([1, 0, ...RESUMED, outcome, lost]);
    expect(await rotate(product(0))).to.deep.equal([1, 0, ...RESUMED, outcome, storedMeanwhile]);
    const json = '{"kind":"master","id":"old","resumed":true,"resealed":1,"left":3,"notOurs":0}';
    expect(await rotate(product(3), '--json')).to.deep.equal([1, 0, json, ...RESUMED, lost]);
  });

  it('removes the progress line before a failure is printed', async () => {
    const product = productOf([1], [], {}, {});
    product.files.operate.reseal = async () => Promise.reject(new Error('The KMS is down.'));
    const context = {
      by: () => ({ actor: 'operator:cli' }),
      withChanges: (job: (opened: never) => Promise<unknown>) => job(product as never),
    } as unknown as CommandContext;
    const { stderr } = await onTerminal(process.stderr, 80, () =>
      collect(() => rejectionOf(() => rotateMaster(context, {}))),
    );
    expect(stderr).to.equal('\r1 re-encrypted\u001b[K\r\u001b[K');
  });
});

describe('keys retire with a master key', () => {
  const retire = (count: number, ...options: readonly string[]) => {
    const product = productOf([], [], {}, { k1: count });
    const retireMaster = sinon.spy(async () => undefined);
    const keys = { list: async () => [{ id: 'k1', kind: 'master', state: 'old' }], retireMaster };
    const run = () => runLine(['keys', 'retire', 'k1', ...options], product, { keys });
    return { retireMaster, outdate: product.files.operate.outdateCache, run };
  };

  it('is refused while values need the key, or without --yes', async () => {
    for (const [count, options, problem] of [
      [3, ['--yes'], '3 values are still encrypted with this key: run keys rotate --kind master first.'],
      [0, [], 'Nothing was retired: repeat the command with --yes'],
    ] as const) {
      const { retireMaster, run } = retire(count, ...options);
      expect(String(await rejectionOf(run))).to.include(problem);
      expect(retireMaster.callCount).to.equal(0);
    }
  });

  it('retires the key, writes an audit row, and invalidates the cache', async () => {
    const { retireMaster, outdate, run } = retire(0, '--yes');
    const sentence = 'Retired the master key k1; it stays in the ring for 30 days, unused.\n';
    expect((await run()).stderr).to.equal(sentence);
    expect([retireMaster.args, outdate.callCount]).to.deep.equal([[['k1']], 1]);
    expect(recorded).to.deep.equal({
      ...{ name: 'keys.retire', done: 'keys.retired', target: 'key:k1' },
      ...{ after: { kind: 'master' }, started: true },
    });
    expect(documentsOf(await retire(0, '--yes', '--json').run())).to.deep.equal([
      { kind: 'master', id: 'k1' },
    ]);
  });
});

describe('The other keys commands', () => {
  it('list the keys with the number of values that each has encrypted', async () => {
    const AT = '2026-01-01T00:00:00.000Z';
    const signing = { kind: 'signing', id: 's1', state: 'active', createdAt: AT };
    const list = async () => [signing, { kind: 'master', id: 'old', state: 'active', createdAt: null }];
    const product = productOf([], [], { old: 2 }, { old: 3 });
    const { stdout } = await runLine(['keys', 'status'], product, { keys: { list } });
    const rows = ['KIND|ID|STATE|CREATED|SEALED', `signing|s1|active|${AT}`, 'master|old|active|5'];
    expect(rowsOf(stdout)).to.deep.equal(rows);
  });

  it('do not overwrite a key file, and write an audit row about a new signing key', async () => {
    const init = () =>
      runLine(['keys', 'init', 'k', '--kind', 'hash'], {}, { makeKeyFile: async () => false });
    expect(String(await rejectionOf(init))).to.include('k exists already and was left unchanged.');
    const keys = { rotateSigning: async () => 's2' };
    await runLine(['keys', 'rotate', '--now'], { accounts: { operate: { recordWork } } }, { keys });
    expect(recorded).to.deep.equal({
      ...{ name: 'keys.rotate', done: 'keys.rotated', target: 'keys:signing', made: 'key:s2' },
      ...{ after: { kind: 'signing', atOnce: true }, started: true },
    });
  });
});
