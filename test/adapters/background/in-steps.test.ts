import { expect } from 'chai';
import { inSteps } from '../../../adapters/background/job-runner.ts';
import { useFakeTime } from '../../support/fake-time.ts';

describe('The steps of a work', () => {
  it('leave others as much time as they take', async () => {
    const steps: { readonly began: number; readonly ended: number }[] = [];
    const work = inSteps(async function* () {
      for (let count = 0; count < 5; count += 1) {
        const began = performance.now();
        while (performance.now() < began + 5);
        steps.push({ began, ended: performance.now() });
        yield;
      }
    });
    await work(1);
    for (const [place, { began, ended }] of steps.slice(0, -1).entries()) {
      const left = (steps[place + 1]?.began ?? 0) - ended;
      // A timer drops the fraction of its milliseconds, begins at a whole one, and its clock may be another one behind.
      expect(left).to.be.at.least(Math.min(ended - began, 20) - 3);
    }
  });
});

describe('Work in steps', () => {
  const time = useFakeTime();

  it('lets others have the event loop between two of its parts', async () => {
    const order: string[] = [];
    const work = inSteps(async function* () {
      for (const part of ['one', 'two']) {
        order.push(part);
        setImmediate(() => order.push(`after ${part}`));
        yield;
      }
    });
    expect(await work(1)).to.equal(0);
    expect(order).to.deep.equal(['one', 'after one', 'two', 'after two']);
  });

  it('ends a run that takes long, and goes on where it was under the same fence alone', async () => {
    const fences: number[] = [];
    const work = inSteps(async function* () {
      fences.push(1);
      for (let part = 0; part < 3; part += 1) {
        time.advance(600);
        yield;
      }
    });
    expect(await work(1)).to.equal(1);
    expect(await work(1)).to.equal(0);
    expect(fences).to.have.lengthOf(1);
    expect(await work(1)).to.equal(1);
    expect(await work(2)).to.equal(1);
    expect(fences).to.have.lengthOf(3);
  });

  it('begins anew after it failed', async () => {
    let starts = 0;
    const work = inSteps(async function* () {
      starts += 1;
      yield;
      if (starts === 1) throw new Error('failed');
    });
    const failure = await work(1).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect(await work(1)).to.equal(0);
    expect(starts).to.equal(2);
  });
});
