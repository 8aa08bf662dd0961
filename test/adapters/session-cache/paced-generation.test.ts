import { expect } from 'chai';
import { pacedGeneration } from '../../../adapters/session-cache/paced-generation.ts';
import { useFakeTime } from '../../support/fake-time.ts';

describe('An epoch that is raised at a pace', () => {
  const time = useFakeTime();
  let raised: number;
  let epoch: ReturnType<typeof pacedGeneration>;

  beforeEach(() => {
    raised = 0;
    epoch = pacedGeneration({
      read: async () => raised,
      raise: async () => {
        raised += 1;
        return raised;
      },
    });
  });

  it('is raised at once for the first, and a second later for all that come until then', async () => {
    expect(await epoch.raise()).to.equal(1);
    const calls = [1, 2, 3].map(() => epoch.raise());
    time.advance(999);
    await new Promise(setImmediate);
    expect(raised).to.equal(1);
    time.advance(1);
    expect(await Promise.all(calls)).to.deep.equal([2, 2, 2]);
    expect(await epoch.read()).to.equal(2);
  });

  it('is raised once more for a call that comes when a raise has begun', async () => {
    const first = epoch.raise();
    time.advance(0);
    await Promise.resolve();
    await Promise.resolve();
    expect(raised).to.equal(1);
    const second = epoch.raise();
    time.advance(1_000);
    expect(await Promise.all([first, second])).to.deep.equal([1, 2]);
  });

  it('fails for all that waited for a raise that failed, and for nobody after them', async () => {
    let failing = true;
    const generation = {
      read: async () => 0,
      raise: async () => {
        if (failing) throw new Error('down');
        return 7;
      },
    };
    const paced = pacedGeneration(generation);
    const outcomes = await Promise.allSettled([paced.raise(), paced.raise()]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    failing = false;
    time.advance(1_000);
    expect(await paced.raise()).to.equal(7);
  });
});
