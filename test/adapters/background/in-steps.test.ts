import { expect } from 'chai';
import { inSteps } from '../../../adapters/background/job-runner.ts';
import { useFakeTime } from '../../support/fake-time.ts';

describe('The pauses between the steps of a job', () => {
  it('last about as long as the step before', async () => {
    const steps: { readonly startedAt: number; readonly endedAt: number }[] = [];
    const job = inSteps(async function* () {
      for (let count = 0; count < 5; count += 1) {
        const startedAt = performance.now();
        while (performance.now() < startedAt + 5);
        steps.push({ startedAt, endedAt: performance.now() });
        yield;
      }
    });
    await job(1);
    for (const [place, { startedAt, endedAt }] of steps.slice(0, -1).entries()) {
      const pauseMs = (steps[place + 1]?.startedAt ?? 0) - endedAt;
      // Timers round down to whole milliseconds twice, and their clock may lag by one more.
      expect(pauseMs).to.be.at.least(Math.min(endedAt - startedAt, 20) - 3);
    }
  });
});

describe('A job in steps', () => {
  const time = useFakeTime();

  it('yields to the event loop between two steps', async () => {
    const order: string[] = [];
    const job = inSteps(async function* () {
      for (const part of ['one', 'two']) {
        order.push(part);
        setImmediate(() => order.push(`after ${part}`));
        yield;
      }
    });
    expect(await job(1)).to.equal(0);
    expect(order).to.deep.equal(['one', 'after one', 'two', 'after two']);
  });

  it('stops a long run, and continues where it stopped only if the fence is unchanged', async () => {
    const fences: number[] = [];
    const job = inSteps(async function* () {
      fences.push(1);
      for (let part = 0; part < 3; part += 1) {
        time.advance(600);
        yield;
      }
    });
    expect(await job(1)).to.equal(1);
    expect(await job(1)).to.equal(0);
    expect(fences).to.have.lengthOf(1);
    expect(await job(1)).to.equal(1);
    expect(await job(2)).to.equal(1);
    expect(fences).to.have.lengthOf(3);
  });

  it('starts over after a failure', async () => {
    let starts = 0;
    const job = inSteps(async function* () {
      starts += 1;
      yield;
      if (starts === 1) throw new Error('failed');
    });
    const failure = await job(1).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect(await job(1)).to.equal(0);
    expect(starts).to.equal(2);
  });
});
