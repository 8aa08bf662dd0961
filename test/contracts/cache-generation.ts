import { expect } from 'chai';
import type { CacheGeneration } from '../../core/files/ports.ts';
import { openForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';

interface Opened {
  /** Two of the same store, as two processes have them. */
  readonly store: readonly [CacheGeneration, CacheGeneration];
  close(): Promise<void>;
}

export const cacheGenerationContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as the keeper of the cache's epoch`, () => {
    let epoch: CacheGeneration;
    let other: CacheGeneration;
    openForEachTest(open, (opened) => {
      [epoch, other] = opened.store;
    });

    it('begins with a positive whole number, and reading changes nothing', async () => {
      const number = await epoch.read();
      expect(Number.isSafeInteger(number) && number > 0).to.equal(true);
      expect(await epoch.read()).to.equal(number);
      expect(await other.read()).to.equal(number);
    });

    it('gives the new number when raised, which everybody reads from then on', async () => {
      const before = await epoch.read();
      const raised = await epoch.raise();
      expect(raised).to.be.greaterThan(before);
      expect(await epoch.read()).to.equal(raised);
      expect(await other.read()).to.equal(raised);
      expect(await other.raise()).to.be.greaterThan(raised);
    });

    it('gives each of many parallel raisings a number of its own, the greatest of which is read after', () =>
      inRounds(async () => {
        const before = await epoch.read();
        const numbers = await race(50, (place) => (place % 2 === 0 ? epoch : other).raise());
        expect(new Set(numbers).size).to.equal(50);
        expect(Math.min(...numbers)).to.be.greaterThan(before);
        expect(await epoch.read()).to.equal(Math.max(...numbers));
      }));
  });
};
