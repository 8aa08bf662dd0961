import { expect } from 'chai';
import { pacedEpoch } from '../../../adapters/presence/paced-epoch.ts';

describe('An epoch that is raised at a pace', () => {
  let waits: { readonly milliseconds: number; readonly end: () => void }[];
  let raised: number;
  let epoch: ReturnType<typeof pacedEpoch>;

  beforeEach(() => {
    waits = [];
    raised = 0;
    const given = {
      read: async () => raised,
      raise: async () => {
        raised += 1;
        return raised;
      },
    };
    epoch = pacedEpoch(
      given,
      (milliseconds) => new Promise<void>((end) => waits.push({ milliseconds, end })),
    );
  });

  it('is raised at once for the first, and a second later for all that come until then', async () => {
    const first = epoch.raise();
    waits.shift()?.end();
    expect(await first).to.equal(1);
    const calls = [1, 2, 3].map(() => epoch.raise());
    expect(raised).to.equal(1);
    expect(waits).to.have.length(1);
    const [later] = waits.splice(0);
    expect(later?.milliseconds).to.be.within(1, 1_000);
    later?.end();
    expect(await Promise.all(calls)).to.deep.equal([2, 2, 2]);
    expect(await epoch.read()).to.equal(2);
  });

  it('is raised once more for a call that comes when a raise has begun', async () => {
    const first = epoch.raise();
    waits.shift()?.end();
    await Promise.resolve();
    await Promise.resolve();
    expect(raised).to.equal(1);
    const second = epoch.raise();
    waits.shift()?.end();
    expect(await Promise.all([first, second])).to.deep.equal([1, 2]);
  });

  it('fails for all that waited for a raise that failed, and for nobody after them', async () => {
    let failing = true;
    const given = {
      read: async () => 0,
      raise: async () => {
        if (failing) throw new Error('down');
        return 7;
      },
    };
    const paced = pacedEpoch(given, async () => undefined);
    const outcomes = await Promise.allSettled([paced.raise(), paced.raise()]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    failing = false;
    expect(await paced.raise()).to.equal(7);
  });
});
