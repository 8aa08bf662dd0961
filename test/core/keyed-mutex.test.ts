import { expect } from 'chai';
import { CoreError } from '../../core/index.ts';
import { makeKeyedMutex } from '../../core/keyed-mutex.ts';
import { rejectionOf } from '../contracts/rejection.ts';

describe('Work that goes in turn', () => {
  const down = new CoreError('unavailable', 'store_unavailable', 'Away.');

  it('is done one after the other for one thing, and beside each other for others', async () => {
    const inTurn = makeKeyedMutex();
    const log: string[] = [];
    let letGo: (() => void) | undefined;
    const blocker = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = inTurn('a', () => blocker.then(() => log.push('a1')));
    const second = inTurn('a', async () => log.push('a2'));
    await inTurn('b', async () => log.push('b'));
    expect(log).to.deep.equal(['b']);
    letGo?.();
    await Promise.all([first, second]);
    expect(log).to.deep.equal(['b', 'a1', 'a2']);
  });

  it('fails for all that wait when a dependency is unavailable, and starts again after that', async () => {
    const inTurn = makeKeyedMutex();
    let tried = 0;
    const fail = async () => {
      tried += 1;
      throw down;
    };
    const outcomes = await Promise.all([1, 2, 3].map(() => rejectionOf(() => inTurn('a', fail))));
    expect(outcomes).to.deep.equal([down, down, down]);
    expect(tried).to.equal(1);
    expect(await inTurn('a', async () => 'again')).to.equal('again');
  });

  it('continues after work that failed for its own reason', async () => {
    const inTurn = makeKeyedMutex();
    const refused = rejectionOf(() => inTurn('a', () => Promise.reject(new Error('no'))));
    expect(await inTurn('a', async () => 'mine')).to.equal('mine');
    expect(await refused).to.be.instanceOf(Error);
  });
});
