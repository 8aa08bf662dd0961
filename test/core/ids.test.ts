import { expect } from 'chai';
import { makeRandom } from '../../adapters/crypto/random.ts';
import { isId, makeNewId, timeOfId } from '../../core/ids.ts';

const NOW = 1_780_000_000_000;

describe('Identifiers', () => {
  it('ascend within a millisecond, and contain its time', () => {
    const newId = makeNewId({ now: () => NOW }, makeRandom());
    const ids = Array.from({ length: 2_000 }, newId);
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.every((id) => isId(id) && timeOfId(id) === NOW)).to.equal(true);
  });

  it('follow the clock, even if it is set back', () => {
    let now = NOW;
    const newId = makeNewId({ now: () => now }, makeRandom());
    for (const time of [NOW, NOW + 1, NOW - 60_000, NOW - 60_000]) {
      now = time;
      expect(timeOfId(newId())).to.equal(time);
    }
  });
});
