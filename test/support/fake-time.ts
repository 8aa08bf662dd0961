import sinon from 'sinon';

export interface FakeTime {
  /** Advances the clock and calls the timers that become due, in order. */
  advance(milliseconds: number): void;
  /** Milliseconds since the test began. */
  now(): number;
  /** Sets the result of `Math.random` for this test. */
  chance(value: number): void;
}

/**
 * In each test of the suite, timers and the monotonic clock stand still until the test advances them; `Math.random` returns 0.
 * Timers of 0 ms run by themselves, in a later turn of the event loop. `Date` goes on.
 */
export const useFakeTime = (): FakeTime => {
  const { setInterval, clearInterval } = globalThis;
  const random = sinon.stub();
  let clock: sinon.SinonFakeTimers;
  let dueNow: NodeJS.Timeout;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    random.returns(0);
    sinon.replace(Math, 'random', random);
    dueNow = setInterval(() => clock.tick(0), 1);
  });
  afterEach(() => {
    clearInterval(dueNow);
    clock.restore();
    sinon.restore();
  });

  return {
    advance: (milliseconds) => void clock.tick(milliseconds),
    now: () => performance.now(),
    chance: (value) => void random.returns(value),
  };
};
