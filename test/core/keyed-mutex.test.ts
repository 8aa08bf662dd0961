import { expect } from 'chai';
import { CoreError } from '../../core/index.ts';
import { makeKeyedMutex } from '../../core/keyed-mutex.ts';
import { rejectionOf } from '../contracts/rejection.ts';

describe('A keyed mutex', () => {
  const down = new CoreError('unavailable', 'store_unavailable', 'Away.');

  it('runs tasks of one key one after another, and tasks of other keys concurrently', async () => {
    const runExclusive = makeKeyedMutex();
    const log: string[] = [];
    let release: (() => void) | undefined;
    const blocker = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = runExclusive('a', () => blocker.then(() => log.push('a1')));
    const second = runExclusive('a', async () => log.push('a2'));
    await runExclusive('b', async () => log.push('b'));
    expect(log).to.deep.equal(['b']);
    release?.();
    await Promise.all([first, second]);
    expect(log).to.deep.equal(['b', 'a1', 'a2']);
  });

  it('rejects all waiting tasks if a dependency is unavailable, and starts again after that', async () => {
    const runExclusive = makeKeyedMutex();
    let attempts = 0;
    const fail = async () => {
      attempts += 1;
      throw down;
    };
    const outcomes = await Promise.all([1, 2, 3].map(() => rejectionOf(() => runExclusive('a', fail))));
    expect(outcomes).to.deep.equal([down, down, down]);
    expect(attempts).to.equal(1);
    expect(await runExclusive('a', async () => 'again')).to.equal('again');
  });

  it('continues after a task that failed for its own reason', async () => {
    const runExclusive = makeKeyedMutex();
    const refusal = rejectionOf(() => runExclusive('a', () => Promise.reject(new Error('no'))));
    expect(await runExclusive('a', async () => 'mine')).to.equal('mine');
    expect(await refusal).to.be.instanceOf(Error);
  });
});
