import { expect } from 'chai';
import { CoreError } from '../../core/index.ts';
import { makeKeyedMutex } from '../../core/keyed-mutex.ts';
import { rejectionOf } from '../contracts/rejection.ts';

describe('Work that goes in turn', () => {
  const down = new CoreError('unavailable', 'store_unavailable', 'Away.');

  it('is done one after the other for one thing, and beside each other for others', async () => {
    const inTurn = makeKeyedMutex();
    const done: string[] = [];
    let letGo: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = inTurn('a', () => held.then(() => done.push('a1')));
    const second = inTurn('a', async () => done.push('a2'));
    await inTurn('b', async () => done.push('b'));
    expect(done).to.deep.equal(['b']);
    letGo?.();
    await Promise.all([first, second]);
    expect(done).to.deep.equal(['b', 'a1', 'a2']);
  });

  it('fails for all who wait when what it needs is away, and begins anew after that', async () => {
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

  it('goes on behind what failed for a reason of its own', async () => {
    const inTurn = makeKeyedMutex();
    const refused = rejectionOf(() => inTurn('a', () => Promise.reject(new Error('no'))));
    expect(await inTurn('a', async () => 'mine')).to.equal('mine');
    expect(await refused).to.be.instanceOf(Error);
  });
});
