import type { Lease, Leases, Log } from '../../core/ports.ts';

/** Milliseconds between two notes in the store that a job went well. */
const NOTED_EVERY = 60_000;

// A holder that dies is followed after this long; one that lives renews at a third of it, also during a long run.
const LEASE = 6_000;

/** A piece of work that one process at a time does, again and again. */
export interface Job {
  readonly name: string;
  /** Milliseconds between two runs that nothing woke. */
  readonly every: number;
  /** Whether `wake` runs it at once. */
  readonly wakes: boolean;
  /** Whether a run begins `every` so often also while others last, so that a slow one holds nothing up. */
  readonly overlaps?: boolean;
  /** Gives how much was done; more than nothing runs it again at once. */
  run(fence: number): Promise<number>;
}

export interface Background {
  start(): void;
  /** Something was left to be done: look now. */
  wake(): void;
  /** Ends after the runs under way. */
  close(): Promise<void>;
}

/** Runs jobs under leases, so that of any number of processes one does each; the others look after it. */
export const makeBackground = (given: {
  readonly leases: Leases;
  readonly holder: string;
  readonly log: Log;
  readonly jobs: readonly Job[];
  /** Milliseconds that a lease is taken for; 6,000. */
  readonly lease?: number;
}): Background => {
  const runners = given.jobs.map((job) => makeRunner(job, given));
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

const makeRunner = (
  job: Job,
  given: { readonly leases: Leases; readonly holder: string; readonly log: Log; readonly lease?: number },
) => {
  const { leases, holder, log, lease: length = LEASE } = given;
  const { overlaps = false } = job;
  const renewEvery = length / 3;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let woken = false;
  let open = false;
  let noteAt = Number.NEGATIVE_INFINITY;
  let lease: (Lease & { readonly freshUntil: number }) | undefined;

  const holdLease = async (): Promise<Lease | undefined> => {
    if (lease !== undefined && performance.now() < lease.freshUntil) return lease;
    // Counted from before the call: a call that took long leaves the less of it.
    const freshUntil = performance.now() + renewEvery;
    const taken = await leases.take(job.name, holder, length);
    lease = taken && { ...taken, freshUntil };
    return taken;
  };

  const failed = (error: unknown) => log.warn('background.failed', { id: job.name, error });

  const noteSuccess = async (): Promise<void> => {
    const now = performance.now();
    if (now < noteAt) return;
    noteAt = now + NOTED_EVERY;
    await leases.noteSuccess(job.name).catch(failed);
  };

  const renew = () => {
    lease = undefined;
    holdLease().catch(failed);
  };

  const round = async () => {
    let more: boolean;
    do {
      woken = false;
      const held = await holdLease();
      if (held === undefined) return;
      more = (await job.run(held.fence)) > 0;
      await noteSuccess();
    } while ((more || woken) && open);
  };

  const lookLater = () => {
    clearTimeout(timer);
    if (open) timer = setTimeout(look, job.every).unref();
  };

  const look = () => {
    if (!open) return;
    clearTimeout(timer);
    renewing ??= setInterval(renew, renewEvery).unref();
    const run = round()
      .catch(failed)
      .finally(() => {
        running.delete(run);
        if (running.size > 0) return;
        clearInterval(renewing);
        renewing = undefined;
        lookLater();
      });
    running.add(run);
    if (overlaps) lookLater();
  };

  return {
    start: () => {
      open = true;
      look();
    },
    wake: () => {
      if (!job.wakes) return;
      if (running.size > 0) woken = true;
      else look();
    },
    close: async () => {
      open = false;
      clearTimeout(timer);
      await Promise.all(running);
      if (lease !== undefined) await leases.release(job.name, holder).catch(() => undefined);
    },
  };
};
