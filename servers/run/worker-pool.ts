import type { Log } from '../../core/index.ts';
import { printLine } from './end-process.ts';
import { WorkerEnded, type WorkerExit, type WorkerProcess } from './follow-worker.ts';

/** The time before a worker that died is started again. The pause doubles with each further death. */
const PAUSE_MS = { first: 200, longest: 30_000 };
/** The age from which a worker counts as stable: its death counts as the first again. */
const STABLE_AFTER_MS = 60_000;

/** A fixed number of slots with a worker in each. */
export interface WorkerPool<Urls> {
  /**
   * Starts the first worker, which creates what is missing in a new installation, then the others. Returns their
   * addresses, or undefined if the pool was closed in the meantime. Rejects with `WorkerEnded` if the first cannot start.
   */
  open(): Promise<Urls | undefined>;
  /** Replaces the worker of each slot, one after the other. The old one ends when the new one serves. */
  renew(): Promise<void>;
  /** Drains all workers and starts no more. Returns whether all that had served exited with 0. */
  close(): Promise<boolean>;
}

/** Keeps `count` workers running; `begin` starts the worker of the slot with the given number. */
export const makeWorkerPool = <Urls>(options: {
  readonly count: number;
  readonly begin: (slot: number) => WorkerProcess<Urls>;
  readonly log: Log;
}): WorkerPool<Urls> => {
  const { count, begin, log } = options;
  const running = new Set<WorkerProcess<Urls>>();
  const served = new WeakSet<WorkerProcess<Urls>>();
  let ending = false;

  const start = (number: number): WorkerProcess<Urls> => {
    const worker = begin(number);
    running.add(worker);
    // `exited` never rejects.
    void worker.exited.then(() => running.delete(worker));
    worker.ready.then(
      () => served.add(worker),
      () => undefined,
    );
    return worker;
  };

  const logEnd = (event: string, number: number, { reason, failure }: WorkerExit, deaths: number) => {
    log.error(event, { id: `${number}`, reason, count: deaths });
    for (const line of failure?.lines ?? []) printLine(line);
  };

  const makeSlot = (number: number) => {
    let worker: WorkerProcess<Urls> | undefined;
    let deaths = 0;
    let restart: NodeJS.Timeout | undefined;

    /** Puts a worker into the slot and restarts it when it dies. Returns the worker that it replaces. */
    const assign = (newWorker: WorkerProcess<Urls>) => {
      clearTimeout(restart);
      const former = worker;
      worker = newWorker;
      const since = performance.now();
      void newWorker.exited.then((exit) => {
        if (ending || worker !== newWorker) return;
        deaths = performance.now() - since < STABLE_AFTER_MS ? deaths + 1 : 1;
        logEnd('worker.ended', number, exit, deaths);
        const pause = Math.min(PAUSE_MS.first * 2 ** (deaths - 1), PAUSE_MS.longest);
        restart = setTimeout(() => assign(start(number)), pause);
      });
      return former;
    };
    return { number, assign, cancelRestart: () => clearTimeout(restart) };
  };
  const slots = Array.from({ length: count }, (_, number) => makeSlot(number));

  const open = async (): Promise<Urls | undefined> => {
    const [firstSlot, ...others] = slots;
    if (firstSlot === undefined) throw new RangeError('A worker pool has at least one worker.');
    if (ending) return undefined;
    const worker = start(firstSlot.number);
    const urls = await worker.ready.catch((error: unknown) => {
      if (!ending) throw error;
      return undefined;
    });
    if (ending || urls === undefined) return undefined;
    firstSlot.assign(worker);
    const ready = others.map((slot) => {
      const newWorker = start(slot.number);
      slot.assign(newWorker);
      return newWorker.ready;
    });
    await Promise.allSettled(ready);
    return ending ? undefined : urls;
  };

  const renewAll = async (): Promise<void> => {
    for (const slot of slots) {
      if (ending) return;
      const newWorker = start(slot.number);
      try {
        await newWorker.ready;
      } catch (error) {
        // The other slots would fail alike, so the old workers go on.
        if (!ending && error instanceof WorkerEnded) logEnd('worker.not_renewed', slot.number, error.exit, 1);
        return;
      }
      if (ending) return;
      const former = slot.assign(newWorker);
      former?.drain('make_way');
      await former?.exited;
    }
    log.info('worker.all_renewed', { count });
  };

  let renewing = Promise.resolve();
  let isRenewalQueued = false;
  return {
    open,
    // A call during a renewal renews once more: some workers may have started before the change (of settings, secrets
    // or the program) that the call is to apply.
    renew: () => {
      if (!isRenewalQueued) {
        isRenewalQueued = true;
        renewing = renewing.then(() => {
          isRenewalQueued = false;
          return renewAll();
        });
      }
      return renewing;
    },
    close: async () => {
      ending = true;
      for (const slot of slots) slot.cancelRestart();
      const ends = [...running].map(async (worker) => {
        worker.drain();
        const { code } = await worker.exited;
        // A worker that had not served yet has lost nothing, even if a signal to the whole group killed it.
        return code === 0 || !served.has(worker);
      });
      return (await Promise.all(ends)).every((endedWell) => endedWell);
    },
  };
};
