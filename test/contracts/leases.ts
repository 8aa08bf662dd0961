import { expect } from 'chai';
import type { Clock, Leases } from '../../core/ports.ts';
import { openForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

/** A clock that the suite sets; the leases are made with it. */
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
  describe(`${name} as leases`, () => {
    let store: Leases;
    let clock: SettableClock;

    const fenceOf = async (holder: string) => (await store.take('relay', holder, 1_000))?.fence;
    openForEachTest(open, (opened) => {
      ({ store, clock } = opened);
    });

    it('gives a free lease to one holder and to no other while it lasts', async () => {
      expect(await store.take('relay', 'a', 1_000)).to.deep.equal({ name: 'relay', fence: 1 });
      expect(await fenceOf('b')).to.equal(undefined);
      clock.set(NOW + 999);
      expect(await fenceOf('b')).to.equal(undefined);
    });

    it('keeps leases of different names apart', async () => {
      await fenceOf('a');
      expect(await store.take('sweep', 'b', 1_000)).to.deep.equal({ name: 'sweep', fence: 1 });
    });

    it('renews a lease for its holder without a new fence', async () => {
      const fence = await fenceOf('a');
      clock.set(NOW + 900);
      expect(await fenceOf('a')).to.equal(fence);
      clock.set(NOW + 1_800);
      expect(await fenceOf('b')).to.equal(undefined);
      clock.set(NOW + 1_900);
      expect(await fenceOf('b')).to.equal(2);
    });

    it('gives an expired lease to whoever comes, with a higher fence at each change of holder', async () => {
      const fences: (number | undefined)[] = [];
      for (const [place, holder] of ['a', 'b', 'a', 'c'].entries()) {
        clock.set(NOW + place * 1_000);
        fences.push(await fenceOf(holder));
      }
      expect(fences).to.deep.equal([1, 2, 3, 4]);
    });

    it('gives an expired lease to its last holder with a higher fence, once', async () => {
      await fenceOf('a');
      clock.set(NOW + 1_000);
      expect([await fenceOf('a'), await fenceOf('a')]).to.deep.equal([2, 2]);
    });

    it('gives a released lease to another at once, with a higher fence', async () => {
      await fenceOf('a');
      await store.release('relay', 'a');
      expect(await fenceOf('b')).to.equal(2);
    });

    it('gives a lease from before the clock was set back to another, with a higher fence', async () => {
      await fenceOf('a');
      clock.set(NOW - 3_600_000);
      expect(await fenceOf('b')).to.equal(2);
      expect(await fenceOf('c')).to.equal(undefined);
      clock.set(NOW - 3_600_000 + 1_000);
      expect(await fenceOf('c')).to.equal(3);
    });

    it('leaves a lease to its holder while clocks differ little, or one asks for less time', async () => {
      await store.take('relay', 'a', 10_000);
      clock.set(NOW - 50);
      expect(await fenceOf('b')).to.equal(undefined);
      expect(await store.take('relay', 'a', 10_000)).to.deep.equal({ name: 'relay', fence: 1 });
    });

    it('does not let one holder release the lease of another', async () => {
      await fenceOf('a');
      await store.release('relay', 'b');
      await store.release('unknown', 'b');
      expect(await fenceOf('b')).to.equal(undefined);
    });

    it('gives a free or expired lease to one of many that take it at once', () =>
      inRounds(async (round) => {
        clock.set(NOW + round * 1_000);
        const fences = await race(50, (place) => fenceOf(`${round}-${place}`));
        expect(fences.filter((fence) => fence !== undefined)).to.deep.equal([round]);
      }));

    it('says who holds which lease, and when its work last went well', async () => {
      expect(await store.list()).to.deep.equal([]);
      await store.noteSuccess('relay');
      await store.take('sweep', 'a', 1_000);
      await fenceOf('b');
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
      expect(await fenceOf('c')).to.equal(2);
      expect((await store.list())[0]).to.deep.equal({ name: 'relay', heldBy: 'c', lastSuccessAt: NOW });
    });

    it('refuses anything but text and numbers in what it looks for', async () => {
      await refusesNonText((value) => store.take(value, 'a', 1_000));
      await refusesNonText((value) => store.take('relay', value, 1_000));
      await refusesNonNumbers((value) => store.take('relay', 'a', value));
      await refusesNonText((value) => store.release(value, 'a'));
      await refusesNonText((value) => store.release('relay', value));
      await refusesNonText((value) => store.noteSuccess(value));
    });
  });
};
