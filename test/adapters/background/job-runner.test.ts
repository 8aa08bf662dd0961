import { expect } from 'chai';
import { type Job, makeBackground } from '../../../adapters/background/job-runner.ts';
import type { Leases } from '../../../core/ports.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';

/** A job whose runs last until the test finishes each with its count. */
const makeSlowJob = (overrides: Partial<Job> = {}) => {
  const runs: ((count?: number) => void)[] = [];
  const job: Job = {
    name: 'job',
    every: 1_000_000,
    wakes: true,
    run: () =>
      new Promise((resolve) => {
        runs.push((count = 0) => resolve(count));
      }),
    ...overrides,
  };
  return { job, runs };
};

describe('The job runner', () => {
  const released: string[] = [];
  const succeeded: string[] = [];
  const leases: Leases = {
    take: async (name) => ({ name, fence: 7 }),
    release: async (name) => {
      released.push(name);
    },
    noteSuccess: async (name) => {
      succeeded.push(name);
    },
    list: async () => [],
  };
  const open = (job: Job) => makeBackground({ leases, holder: 'me', log: makeRecordingLog(), jobs: [job] });

  it('runs a job once at a time, and once more if woken during a run', async () => {
    const { job, runs } = makeSlowJob();
    const background = open(job);
    background.start();
    await until(() => runs.length === 1);
    background.wake();
    background.wake();
    await new Promise(setImmediate);
    expect(runs).to.have.lengthOf(1);
    runs[0]?.();
    await until(() => runs.length === 2);
    const closed = background.close();
    runs[1]?.();
    await closed;
    expect(runs).to.have.lengthOf(2);
  });

  it('starts further runs during a long one if runs may overlap', async () => {
    const { job, runs } = makeSlowJob({ overlaps: true, every: 20 });
    const background = open(job);
    background.start();
    await until(() => runs.length >= 3);
    const closed = background.close();
    for (const finish of runs) finish();
    await closed;
    expect(runs).to.have.length.at.least(3);
  });

  it('releases the lease only after the last run', async () => {
    released.length = 0;
    const { job, runs } = makeSlowJob({ overlaps: true, every: 20 });
    const background = open(job);
    background.start();
    await until(() => runs.length >= 2);
    const closed = background.close();
    const [first, ...others] = runs;
    for (const finish of others) finish(5);
    await new Promise(setImmediate);
    expect(released).to.deep.equal([]);
    first?.();
    await closed;
    expect(released).to.deep.equal(['job']);
    expect(runs).to.have.lengthOf(1 + others.length);
  });

  it('releases a lease that a renewal takes during close', async () => {
    released.length = 0;
    const { job, runs } = makeSlowJob();
    const renewals: (() => void)[] = [];
    let taken = 0;
    const slow: Leases = {
      ...leases,
      take: async (name) => {
        taken += 1;
        if (taken > 1) await new Promise<void>((resolve) => renewals.push(resolve));
        return { name, fence: 7 };
      },
    };
    const log = makeRecordingLog();
    const background = makeBackground({ leases: slow, holder: 'me', log, jobs: [job], lease: 30 });
    background.start();
    await until(() => renewals.length === 1);
    const closed = background.close();
    runs[0]?.();
    await new Promise(setImmediate);
    for (const renew of renewals) renew();
    await closed;
    expect(released).to.deep.equal(['job']);
  });

  it('records a success at most once a minute, and none for a failed run', async () => {
    succeeded.length = 0;
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs === 1) throw new Error('failed');
      return runs < 5 ? 1 : 0;
    };
    const background = open({ name: 'busy', every: 1, wakes: false, run });
    background.start();
    await until(() => runs >= 6);
    await background.close();
    expect(succeeded).to.deep.equal(['busy']);
  });
});
