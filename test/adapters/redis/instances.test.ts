import { expect } from 'chai';
import sinon from 'sinon';
import { makeInstances } from '../../../adapters/redis/limiter.ts';
import { rejectionOf } from '../../contracts/rejection.ts';

describe('How many processes share a Redis', () => {
  let time: sinon.SinonFakeTimers;
  let there: number | Error;

  const open = () =>
    makeInstances(
      {
        call: async () => 1,
        run: async () => {
          if (there instanceof Error) throw there;
          return there;
        },
      },
      'key',
    );

  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['performance'] });
  });

  afterEach(() => time.restore());

  it('is one until Redis has said', () => {
    expect(open().count()).to.equal(1);
  });

  it('is what Redis said last while it says nothing', async () => {
    const instances = open();
    there = 4;
    await instances.beat();
    there = new Error('down');
    time.tick(3_600_000);
    await rejectionOf(instances.beat);
    expect(instances.count()).to.equal(4);
  });

  it('grows at once, and shrinks when it has been less for ten seconds', async () => {
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
      there = count;
      await instances.beat();
      counts.push(instances.count());
    }
    expect(counts).to.deep.equal([2, 5, 5, 5, 3, 3]);
  });
});
