import { expect } from 'chai';
import type { Bucket, Limiter } from '../../core/ports.ts';
import type { SettableClock } from './leases.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { NOW } from './samples.ts';

/** Another process that shares the counts. */
export interface OtherProcess {
  /** Makes `calls` calls at once and returns how many were allowed. */
  allowed(bucket: Bucket, key: string, calls: number): Promise<number>;
}

export interface OpenedLimiter {
  readonly limiter: Limiter;
  /** Another limiter of this process that shares the counts. */
  readonly twin: Limiter;
  readonly clock: SettableClock;
  fork(): Promise<OtherProcess>;
  close(): Promise<void>;
}

const HOUR = 3_600_000;
/** The result of the first call in a window. */
const FIRST = { allowed: true, limit: 3, remaining: 2, reset: 60 };

export const limiterContract = (name: string, open: () => Promise<OpenedLimiter>): void => {
  describe(`${name} as a limiter`, function () {
    this.timeout(300_000);
    let opened: OpenedLimiter;
    let limiter: Limiter;
    let clock: SettableClock;
    const bucket: Bucket = { name: 'client:login', limit: 3, seconds: 60 };

    const countAllowed = async (calls: number, by: Limiter = limiter, key = 'a') =>
      (await race(calls, () => by.take(bucket, key))).filter((budget) => budget.allowed).length;

    openForEachTest(open, (current) => {
      opened = current;
      ({ limiter, clock } = current);
    });

    it('returns how many calls remain, and refuses calls beyond the limit', async () => {
      const answers = [];
      for (let call = 0; call < 5; call += 1) answers.push(await limiter.take(bucket, 'a'));
      expect(answers.map(({ allowed, remaining }) => [allowed, remaining])).to.deep.equal([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ]);
      expect(answers[0]).to.deep.equal(FIRST);
    });

    it('opens a new window when the window of the first call ends', async () => {
      await limiter.take(bucket, 'a');
      clock.set(NOW + 59_999);
      expect(await countAllowed(5)).to.equal(2);
      clock.set(NOW + 60_000);
      expect(await limiter.take(bucket, 'a')).to.deep.equal(FIRST);
    });

    it('returns whole seconds until the window ends, at least one', async () => {
      const resets: number[] = [];
      for (const after of [0, 1, 1_000, 58_999, 59_001, 59_999]) {
        clock.set(NOW + after);
        resets.push((await limiter.take(bucket, 'a')).reset);
      }
      expect(resets).to.deep.equal([60, 60, 59, 2, 1, 1]);
    });

    it('counts each pair of bucket and key apart, even if their names join to the same text', async () => {
      const narrow = (label: string): Bucket => ({ name: label, limit: 1, seconds: 60 });
      const pairs = [
        ['a', 'b:c'],
        ['a:b', 'c'],
        ['a', 'b'],
        ['b', 'a'],
        ['a', 'ł'],
        ['a', '\ud800'],
        ['a', ''],
      ] as const;
      for (const [label, key] of pairs) {
        expect((await limiter.take(narrow(label), key)).allowed, `${label} ${key}`).to.equal(true);
        expect((await limiter.take(narrow(label), key)).allowed, `${label} ${key}`).to.equal(false);
      }
    });

    it('allows exactly the first calls, up to the limit, of many concurrent calls', () =>
      inRounds(async (round) => {
        const wide = { ...bucket, limit: 37 };
        const answers = await race(200, () => limiter.take(wide, `round ${round}`));
        expect(answers.map((answer) => answer.allowed)).to.deep.equal(
          Array.from({ length: 200 }, (_, place) => place < 37),
        );
        expect(answers.map((answer) => answer.remaining)).to.deep.equal(
          Array.from({ length: 200 }, (_, place) => Math.max(0, 36 - place)),
        );
      }));

    it('counts many keys at once, each on its own', async () => {
      const answers = await race(600, (place) => limiter.take(bucket, `key ${place % 150}`));
      expect(answers.filter((answer) => answer.allowed)).to.have.length(450);
    });

    it('shares its counts with another limiter of the process', async () => {
      const [first, second] = await Promise.all([countAllowed(20), countAllowed(20, opened.twin)]);
      expect(first + second).to.equal(3);
    });

    it('allows exactly the limit across processes', async () => {
      const [first, second] = await Promise.all([opened.fork(), opened.fork()]);
      const wide = { ...bucket, limit: 250 };
      await inRounds(async (round) => {
        const key = `round ${round}`;
        const ownCalls = race(200, () => limiter.take(wide, key));
        const others = await Promise.all([first.allowed(wide, key, 200), second.allowed(wide, key, 200)]);
        const allowed = (await ownCalls).filter((answer) => answer.allowed).length;
        expect(others.reduce((sum, count) => sum + count, allowed)).to.equal(250);
      });
    });

    it('starts a new window if the clock jumps ahead by an hour', async () => {
      await countAllowed(5);
      clock.set(NOW + HOUR);
      expect(await limiter.take(bucket, 'a')).to.deep.equal(FIRST);
    });

    it('keeps the count for at most one window if the clock is set back by an hour', async () => {
      await countAllowed(5);
      clock.set(NOW - HOUR);
      expect(await limiter.take(bucket, 'a')).to.deep.equal({ ...FIRST, allowed: false, remaining: 0 });
      clock.set(NOW - HOUR + 60_000);
      expect((await limiter.take(bucket, 'a')).allowed).to.equal(true);
    });
  });
};
