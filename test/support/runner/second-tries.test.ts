import { expect } from 'chai';
import { secondTries } from './second-tries.ts';

const tries = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ name: `file ${place}`, output: `why ${place}` }));

describe('Files that passed at the second try only', () => {
  it('are named at the end, with what they printed the first time, and counted', () => {
    const { names, details, summary } = secondTries(tries(2));
    expect(names).to.deep.equal(['== Passed at the second try only', '↻ file 0', '↻ file 1']);
    expect(details).to.include.members(['why 0', 'why 1']);
    expect(summary).to.equal(', 2 at the second try only');
  });

  it('make a run red when they are three', () => {
    expect([0, 1, 2, 3, 4].map((count) => secondTries(tries(count)).isRed)).to.deep.equal([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(secondTries(tries(3)).summary).to.equal(', 3 at the second try only (too many)');
  });

  it('are not spoken of when there are none', () => {
    expect(secondTries([])).to.deep.equal({ isRed: false, details: [], names: [], summary: '' });
  });
});
