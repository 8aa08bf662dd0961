import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import type { Lease, Leases, Log } from '../../core/ports.ts';

/** The time between two records in the store of a job's success. */
const RECORD_INTERVAL_MS = 60_000;

// The time until another process takes over the lease of a dead holder. A live holder renews the lease at a third of this
// time, but only while it runs the job: the lease on a job that runs less often expires between two runs.
const LEASE_MS = 6_000;

/** Repeated work that only one process at a time does. */
export interface Job {
  readonly name: string;
  /** Milliseconds between two runs, unless `wake` starts one earlier. */
  readonly every: number;
  /** Whether `wake` runs the job at once. */
  readonly wakes: boolean;
  /** Whether a new run begins after `every` even while earlier runs last, so that a slow run delays no other. */
  readonly overlaps?: boolean;
  /**
   * Returns how many items were processed. The job runs again at once if there were any. `fence` is the number of the lease,
   * which grows when the lease is taken after it was free or had expired.
   */
  run(fence: number): Promise<number>;
}

export interface Background {
  start(): void;
  /** New work was stored: runs at once the jobs that have `wakes`. */
  wake(): void;
  /** Waits for the runs under way, then releases the leases. */
  close(): Promise<void>;
}

interface RunnerOptions {
  readonly leases: Leases;
  readonly holder: string;
  readonly log: Log;
  /** Milliseconds for which a lease is taken; 6,000 by default. */
  readonly lease?: number;
}

/** Runs jobs under leases: of any number of processes one at a time runs a job, and another takes over when it dies. */
export const makeBackground = (options: RunnerOptions & { readonly jobs: readonly Job[] }): Background => {
  const runners = options.jobs.map((job) => makeRunner(job, options));
  return {
    start: () => {
      for (const runner of runners) runner.start();
    },
    wake: () => {
      for (const runner of runners) runner.wake();
    },
    close: async () => {
      await Promise.all(runners.map((runner) => runner.close()));
    },
  };
};

const makeRunner = (job: Job, { leases, holder, log, lease: leaseMs = LEASE_MS }: RunnerOptions) => {
  const renewEvery = leaseMs / 3;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let renewTimer: NodeJS.Timeout | undefined;
  let woken = false;
  let open = false;
  let nextNoteAt = Number.NEGATIVE_INFINITY;
  /** The lease that this process last took. Up to the time `freshUntil`, a run relies on it without asking the store. */
  let lease: (Lease & { readonly freshUntil: number }) | undefined;
  let renewal: Promise<unknown> | undefined;

  const takeLease = async (): Promise<Lease | undefined> => {
    if (lease !== undefined && performance.now() < lease.freshUntil) return lease;
    // Counted from before the call, since the lease runs while the call lasts.
    const freshUntil = performance.now() + renewEvery;
    const newLease = await leases.take(job.name, holder, leaseMs);
    lease = newLease && { ...newLease, freshUntil };
    return newLease;
  };

  const logFailure = (error: unknown) => log.warn('background.failed', { id: job.name, error });

  const noteSuccess = async (): Promise<void> => {
    const now = performance.now();
    if (now < nextNoteAt) return;
    nextNoteAt = now + RECORD_INTERVAL_MS;
    await leases.noteSuccess(job.name).catch(logFailure);
  };

  const renew = () => {
    // Forgotten first: `takeLease` might return the lease that it knows, and renew nothing.
    lease = undefined;
    renewal = takeLease().catch(logFailure);
  };

  const runWhileThereIsWork = async () => {
    let more: boolean;
    do {
      woken = false;
      const currentLease = await takeLease();
      if (currentLease === undefined) return;
      more = (await job.run(currentLease.fence)) > 0;
      await noteSuccess();
    } while ((more || woken) && open);
  };

  const runLater = () => {
    clearTimeout(timer);
    if (open) timer = setTimeout(runNow, job.every).unref();
  };

  const runNow = () => {
    if (!open) return;
    clearTimeout(timer);
    renewTimer ??= setInterval(renew, renewEvery).unref();
    const run = runWhileThereIsWork()
      .catch(logFailure)
      .finally(() => {
        running.delete(run);
        if (running.size > 0) return;
        clearInterval(renewTimer);
        renewTimer = undefined;
        runLater();
      });
    running.add(run);
    if (job.overlaps) runLater();
  };

  return {
    start: () => {
      open = true;
      runNow();
    },
    wake: () => {
      if (!job.wakes) return;
      if (running.size > 0) woken = true;
      else runNow();
    },
    close: async () => {
      open = false;
      clearTimeout(timer);
      await Promise.all(running);
      await renewal;
      if (lease !== undefined) await leases.release(job.name, holder).catch(() => undefined);
    },
  };
};

/** The time after which a long run stops, so that the job can be closed. */
const LONGEST_RUN_MS = 1_000;
/** The longest time between two steps. A step that takes longer mostly waits for a store, and requests go on meanwhile. */
const LONGEST_PAUSE_MS = 20;

/**
 * Makes the `run` of a job from a generator. After each step the run pauses for as long as the step took: a request takes
 * several turns of the event loop, and without pauses it would wait for a step in each. A long run stops early and returns 1;
 * the next run continues it. If the fence has changed, another process may have done the work, so the work begins anew.
 */
export const inSteps = (
  startWork: () => AsyncGenerator<undefined, void>,
): ((fence: number) => Promise<number>) => {
  let work: { readonly steps: AsyncGenerator<undefined, void>; readonly fence: number } | undefined;
  return async (fence) => {
    const steps = work?.fence === fence ? work.steps : startWork();
    // A run that fails leaves nothing to continue.
    work = undefined;
    const until = performance.now() + LONGEST_RUN_MS;
    do {
      const start = performance.now();
      if ((await steps.next()).done) return 0;
      await pause(Math.min(performance.now() - start, LONGEST_PAUSE_MS));
      // A timer may fire before callbacks that others queued for the same turn.
      await setImmediate();
    } while (performance.now() < until);
    work = { steps, fence };
    return 1;
  };
};
