import sinon from 'sinon';

export interface FakeTime {
  /** Lets so many milliseconds pass: what falls due meanwhile is called, in order. */
  advance(milliseconds: number): void;
  /** Milliseconds since the test began. */
  now(): number;
  /** What `Math.random` gives in this test. */
  chance(value: number): void;
}

/**
 * In each test of the suite timers and the monotonic clock stand still until the test moves them; `Math.random` gives 0.
 * What is due at once is called at once, in a later turn. `Date` goes on.
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
