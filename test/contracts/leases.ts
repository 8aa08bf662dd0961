import { expect } from 'chai';
import type { Clock, Leases } from '../../core/ports.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

/** A clock that the suite sets and the lease store uses. */
export interface SettableClock extends Clock {
  set(time: number): void;
}

export const makeSettableClock = (time = NOW): SettableClock => ({
  now: () => time,
  set: (next) => {
    time = next;
  },
});

interface Opened {
  readonly store: Leases;
  readonly clock: SettableClock;
  close(): Promise<void>;
}

export const leasesContract = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name} as a lease store`, () => {
    let store: Leases;
    let clock: SettableClock;

    const takeFence = async (holder: string) => (await store.take('relay', holder, 1_000))?.fence;
    openForEachTest(open, (opened) => {
      ({ store, clock } = opened);
    });

    it('grants a free lease to one holder, and to no other until it expires', async () => {
      expect(await store.take('relay', 'a', 1_000)).to.deep.equal({ name: 'relay', fence: 1 });
      expect(await takeFence('b')).to.equal(undefined);
      clock.set(NOW + 999);
      expect(await takeFence('b')).to.equal(undefined);
    });

    it('keeps leases of different names apart', async () => {
      await takeFence('a');
      expect(await store.take('sweep', 'b', 1_000)).to.deep.equal({ name: 'sweep', fence: 1 });
    });

    it('renews a lease for its holder without a new fence', async () => {
      const fence = await takeFence('a');
      clock.set(NOW + 900);
      expect(await takeFence('a')).to.equal(fence);
      clock.set(NOW + 1_800);
      expect(await takeFence('b')).to.equal(undefined);
      clock.set(NOW + 1_900);
      expect(await takeFence('b')).to.equal(2);
    });

    it('grants an expired lease to any holder, with a higher fence at each change of holder', async () => {
      const fences: (number | undefined)[] = [];
      for (const [place, holder] of ['a', 'b', 'a', 'c'].entries()) {
        clock.set(NOW + place * 1_000);
        fences.push(await takeFence(holder));
      }
      expect(fences).to.deep.equal([1, 2, 3, 4]);
    });

    it('grants an expired lease to its last holder with a higher fence, once', async () => {
      await takeFence('a');
      clock.set(NOW + 1_000);
      expect([await takeFence('a'), await takeFence('a')]).to.deep.equal([2, 2]);
    });

    it('grants a released lease to another holder at once, with a higher fence', async () => {
      await takeFence('a');
      await store.release('relay', 'a');
      expect(await takeFence('b')).to.equal(2);
    });

    it('grants a lease from before the clock was set back, with a higher fence', async () => {
      await takeFence('a');
      clock.set(NOW - 3_600_000);
      expect(await takeFence('b')).to.equal(2);
      expect(await takeFence('c')).to.equal(undefined);
      clock.set(NOW - 3_600_000 + 1_000);
      expect(await takeFence('c')).to.equal(3);
    });

    it('leaves a lease to its holder if clocks differ little or a request is for less time', async () => {
      await store.take('relay', 'a', 10_000);
      clock.set(NOW - 50);
      expect(await takeFence('b')).to.equal(undefined);
      expect(await store.take('relay', 'a', 10_000)).to.deep.equal({ name: 'relay', fence: 1 });
    });

    it('does not release a lease for another holder', async () => {
      await takeFence('a');
      await store.release('relay', 'b');
      await store.release('unknown', 'b');
      expect(await takeFence('b')).to.equal(undefined);
    });

    it('grants a free or expired lease to exactly one of many concurrent requests', () =>
      inRounds(async (round) => {
        clock.set(NOW + round * 1_000);
        const fences = await race(50, (place) => takeFence(`${round}-${place}`));
        expect(fences.filter((fence) => fence !== undefined)).to.deep.equal([round]);
      }));

    it('lists the holder of each lease and the time of its last success', async () => {
      expect(await store.list()).to.deep.equal([]);
      await store.noteSuccess('relay');
      await store.take('sweep', 'a', 1_000);
      await takeFence('b');
      await store.noteSuccess('relay');
      expect(await store.list()).to.deep.equal([
        { name: 'relay', heldBy: 'b', lastSuccessAt: NOW },
        { name: 'sweep', heldBy: 'a', lastSuccessAt: null },
      ]);
      await store.release('sweep', 'a');
      clock.set(NOW + 1_000);
      await store.noteSuccess('sweep');
      expect(await store.list()).to.deep.equal([
        { name: 'relay', heldBy: null, lastSuccessAt: NOW },
        { name: 'sweep', heldBy: null, lastSuccessAt: NOW + 1_000 },
      ]);
      expect(await takeFence('c')).to.equal(2);
      expect((await store.list())[0]).to.deep.equal({ name: 'relay', heldBy: 'c', lastSuccessAt: NOW });
    });

    it('lists no holder of a lease from before the clock was set back', async () => {
      await takeFence('a');
      clock.set(NOW - 3_600_000);
      expect(await store.list()).to.deep.equal([{ name: 'relay', heldBy: null, lastSuccessAt: null }]);
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await refusesNonText((value) => store.take(value, 'a', 1_000));
      await refusesNonText((value) => store.take('relay', value, 1_000));
      await refusesNonNumbers((value) => store.take('relay', 'a', value));
      await refusesNonText((value) => store.release(value, 'a'));
      await refusesNonText((value) => store.release('relay', value));
      await refusesNonText((value) => store.noteSuccess(value));
    });
  });
};
