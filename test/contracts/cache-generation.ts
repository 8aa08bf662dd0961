import { expect } from 'chai';
import type { CacheGeneration } from '../../core/files/ports.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';

interface Opened {
  /** Two adapters over the same store, as in two processes. */
  readonly store: readonly [CacheGeneration, CacheGeneration];
  close(): Promise<void>;
}

export const cacheGenerationContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as a cache generation store`, () => {
    let generation: CacheGeneration;
    let other: CacheGeneration;
    openForEachTest(open, (opened) => {
      [generation, other] = opened.store;
    });

    it('starts with a positive whole number, which a read does not change', async () => {
      const number = await generation.read();
      expect(Number.isSafeInteger(number) && number > 0).to.equal(true);
      expect(await generation.read()).to.equal(number);
      expect(await other.read()).to.equal(number);
    });

    it('returns a greater number if raised, which every process reads from then on', async () => {
      const before = await generation.read();
      const raised = await generation.raise();
      expect(raised).to.be.greaterThan(before);
      expect(await generation.read()).to.equal(raised);
      expect(await other.read()).to.equal(raised);
      expect(await other.raise()).to.be.greaterThan(raised);
    });

    it('returns a different number for each of many concurrent raises, and reads the greatest', () =>
      inRounds(async () => {
        const before = await generation.read();
        const numbers = await race(50, (place) => (place % 2 === 0 ? generation : other).raise());
        expect(new Set(numbers).size).to.equal(50);
        expect(Math.min(...numbers)).to.be.greaterThan(before);
        expect(await generation.read()).to.equal(Math.max(...numbers));
      }));
  });
};
