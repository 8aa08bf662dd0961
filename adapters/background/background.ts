import type { Lease, Leases, Log } from '../../core/ports.ts';

// A holder that dies is followed after this long; one that lives renews at a third of it, also during a long run.
const LEASE_MILLISECONDS = 6_000;
const RENEW_EVERY = LEASE_MILLISECONDS / 3;

/** A piece of work that one process at a time does, again and again. */
export interface Job {
  readonly name: string;
  /** Milliseconds between two runs that nothing woke. */
  readonly every: number;
  /** Whether `wake` runs it at once. */
  readonly wakes: boolean;
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

const makeRunner = (job: Job, { leases, holder, log }: { leases: Leases; holder: string; log: Log }) => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let woken = false;
  let open = false;
  let lease: (Lease & { readonly freshUntil: number }) | undefined;

  const holdLease = async (): Promise<Lease | undefined> => {
    if (lease !== undefined && performance.now() < lease.freshUntil) return lease;
    // Counted from before the call: a call that took long leaves the less of it.
    const freshUntil = performance.now() + RENEW_EVERY;
    const taken = await leases.take(job.name, holder, LEASE_MILLISECONDS);
    lease = taken && { ...taken, freshUntil };
    return taken;
  };

  const failed = (error: unknown) => log.warn('background.failed', { id: job.name, error });

  const renew = () => {
    lease = undefined;
    holdLease().catch(failed);
  };

  const round = async () => {
    do {
      woken = false;
      const held = await holdLease();
      if (held === undefined) return;
      if ((await job.run(held.fence)) > 0) woken = true;
    } while (woken && open);
  };

  const look = () => {
    if (!open) return;
    if (running !== undefined) {
      woken = true;
      return;
    }
    clearTimeout(timer);
    const renewing = setInterval(renew, RENEW_EVERY).unref();
    running = round()
      .catch(failed)
      .finally(() => {
        clearInterval(renewing);
        running = undefined;
        if (open) timer = setTimeout(look, job.every).unref();
      });
  };

  return {
    start: () => {
      open = true;
      look();
    },
    wake: () => {
      if (job.wakes) look();
    },
    close: async () => {
      open = false;
      clearTimeout(timer);
      await running;
      if (lease !== undefined) await leases.release(job.name, holder).catch(() => undefined);
    },
  };
};
