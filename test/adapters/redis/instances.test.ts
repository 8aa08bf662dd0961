import { expect } from 'chai';
import sinon from 'sinon';
import { makeInstances } from '../../../adapters/redis/limiter.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

describe('The number of processes that share a Redis', () => {
  let time: sinon.SinonFakeTimers;
  let redisCount: number | Error;

  const open = () =>
    makeInstances(
      {
        call: async () => 1,
        run: async () => {
          if (redisCount instanceof Error) throw redisCount;
          return redisCount;
        },
      },
      'key',
    );

  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['performance'] });
  });

  afterEach(() => time.restore());

  it('is one before the first answer of Redis', () => {
    expect(open().count()).to.equal(1);
  });

  it('keeps its last value while Redis fails', async () => {
    const instances = open();
    redisCount = 4;
    await instances.beat();
    redisCount = new Error('down');
    time.tick(3_600_000);
    await rejectionOf(instances.beat);
    expect(instances.count()).to.equal(4);
  });

  it('grows at once, and shrinks after ten seconds of lower values', async () => {
    const instances = open();
    const counts = [];
    for (const [after, count] of [
      [0, 2],
      [0, 5],
      [0, 1],
      [9_999, 3],
      [1, 3],
      [0, 1],
    ] as const) {
      time.tick(after);
      redisCount = count;
      await instances.beat();
      counts.push(instances.count());
    }
    expect(counts).to.deep.equal([2, 5, 5, 5, 3, 3]);
  });
});
