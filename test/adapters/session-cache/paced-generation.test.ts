import { expect } from 'chai';
import { pacedGeneration } from '../../../adapters/session-cache/paced-generation.ts';
import { useFakeTime } from '../../support/fake-time.ts';

describe('A paced generation', () => {
  const time = useFakeTime();
  let raised: number;
  let generation: ReturnType<typeof pacedGeneration>;

  beforeEach(() => {
    raised = 0;
    generation = pacedGeneration({
      read: async () => raised,
      raise: async () => {
        raised += 1;
        return raised;
      },
    });
  });

  it('is raised at once for the first call, and a second later for all calls until then', async () => {
    expect(await generation.raise()).to.equal(1);
    const calls = [1, 2, 3].map(() => generation.raise());
    time.advance(999);
    await new Promise(setImmediate);
    expect(raised).to.equal(1);
    time.advance(1);
    expect(await Promise.all(calls)).to.deep.equal([2, 2, 2]);
    expect(await generation.read()).to.equal(2);
  });

  it('is raised again for a call after a raise has begun', async () => {
    const first = generation.raise();
    time.advance(0);
    await Promise.resolve();
    await Promise.resolve();
    expect(raised).to.equal(1);
    const second = generation.raise();
    time.advance(1_000);
    expect(await Promise.all([first, second])).to.deep.equal([1, 2]);
  });

  it('fails for all calls that wait for a failed raise, and not for later ones', async () => {
    let failing = true;
    const source = {
      read: async () => 0,
      raise: async () => {
        if (failing) throw new Error('down');
        return 7;
      },
    };
    const paced = pacedGeneration(source);
    const outcomes = await Promise.allSettled([paced.raise(), paced.raise()]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    failing = false;
    time.advance(1_000);
    expect(await paced.raise()).to.equal(7);
  });
});
