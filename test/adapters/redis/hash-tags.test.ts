import { expect } from 'chai';
import { slotOf, TAGS, tagOf } from '../../../adapters/redis/hash-tags.ts';

describe('The hash tags of keys in a Redis cluster', () => {
  it('have the slots that Redis computes', () => {
    // The check value of the algorithm, and the example of Redis's documentation of CLUSTER KEYSLOT.
    expect(slotOf('{123456789}')).to.equal(0x31_c3);
    expect(slotOf('{somekey}')).to.equal(11_058);
  });

  it('are distributed evenly over three to sixteen primaries', () => {
    for (let primaries = 3; primaries <= 16; primaries += 1) {
      const counts = Array.from(
        { length: primaries },
        (_, place) => TAGS.filter((tag) => Math.floor((slotOf(tag) * primaries) / 16_384) === place).length,
      );
      const fair = TAGS.length / primaries;
      expect(Math.max(...counts), `${primaries}`).to.be.below(fair * 1.6);
      expect(Math.min(...counts), `${primaries}`).to.be.above(fair / 2);
    }
  });

  it('are assigned to names evenly, and always alike to each name', () => {
    const counts = new Map<string, number>();
    for (let place = 0; place < 6_400; place += 1) {
      const tag = tagOf(`file-${place}`);
      expect(tagOf(`file-${place}`)).to.equal(tag);
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    expect([...counts.keys()]).to.have.members([...TAGS]);
    expect(Math.max(...counts.values())).to.be.below(200);
  });
});
