import type { Log } from '../../core/index.ts';
import { say } from './failure.ts';
import { type Gone, WorkerGone, type WorkerProcess } from './worker.ts';

/** Milliseconds before a worker that died is started again. The pause doubles with each further death. */
const PAUSE = { first: 200, longest: 30_000 };
/** Milliseconds. A worker that lived this long was sound: its death counts as the first again. */
const SOUND = 60_000;

/** The workers of a service, each in its place. */
export interface Crew<Urls> {
  /**
   * Starts the first, which makes what a first start makes, then the others. Gives where they listen; undefined when it
   * was closed meanwhile. Rejects with `WorkerGone` when the first cannot start.
   */
  open(): Promise<Urls | undefined>;
  /** Starts a new worker for each place, one after the other; the old one goes when the new one serves. */
  renew(): Promise<void>;
  /** Drains all of them, and starts no more. Gives whether each that served ended well. */
  close(): Promise<boolean>;
}

/** Keeps `count` workers; `begin` starts one for the place with that number. */
export const makeCrew = <Urls>(given: {
  readonly count: number;
  readonly begin: (place: number) => WorkerProcess<Urls>;
  readonly log: Log;
}): Crew<Urls> => {
  const { count, begin, log } = given;
  const running = new Set<WorkerProcess<Urls>>();
  const served = new WeakSet<WorkerProcess<Urls>>();
  let ending = false;

  const start = (number: number): WorkerProcess<Urls> => {
    const worker = begin(number);
    running.add(worker);
    worker.gone.then(() => running.delete(worker));
    worker.ready.then(
      () => served.add(worker),
      () => undefined,
    );
    return worker;
  };

  const tell = (event: string, number: number, { reason, failure }: Gone, deaths: number) => {
    log.error(event, { id: `${number}`, reason, count: deaths });
    for (const line of failure?.lines ?? []) say(line);
  };

  const makePlace = (number: number) => {
    let worker: WorkerProcess<Urls> | undefined;
    let deaths = 0;
    let again: NodeJS.Timeout | undefined;

    /** Makes it the worker of the place: another is started where it dies. Gives the one it takes the place of. */
    const employ = (next: WorkerProcess<Urls>) => {
      clearTimeout(again);
      const former = worker;
      worker = next;
      const since = performance.now();
      next.gone.then((gone) => {
        if (ending || worker !== next) return;
        deaths = performance.now() - since < SOUND ? deaths + 1 : 1;
        tell('worker.ended', number, gone, deaths);
        const pause = Math.min(PAUSE.first * 2 ** (deaths - 1), PAUSE.longest);
        again = setTimeout(() => employ(start(number)), pause);
      });
      return former;
    };
    return { number, employ, leave: () => clearTimeout(again) };
  };
  const places = Array.from({ length: count }, (_, number) => makePlace(number));

  const open = async (): Promise<Urls | undefined> => {
    const [first, ...others] = places;
    if (first === undefined) throw new RangeError('A crew has one worker at the least.');
    if (ending) return undefined;
    const worker = start(first.number);
    const urls = await worker.ready.catch((error: unknown) => {
      if (!ending) throw error;
      return undefined;
    });
    if (ending || urls === undefined) return undefined;
    first.employ(worker);
    const ready = others.map((place) => {
      const one = start(place.number);
      place.employ(one);
      return one.ready;
    });
    await Promise.allSettled(ready);
    return ending ? undefined : urls;
  };

  const renewAll = async (): Promise<void> => {
    for (const place of places) {
      if (ending) return;
      const next = start(place.number);
      try {
        await next.ready;
      } catch (error) {
        // Whatever it is, it would be the same for the others: the old ones go on.
        if (!ending && error instanceof WorkerGone) tell('worker.not_renewed', place.number, error.gone, 1);
        return;
      }
      if (ending) return;
      const former = place.employ(next);
      former?.drain();
      await former?.gone;
    }
    log.info('worker.all_renewed', { count });
  };

  let renewing = Promise.resolve();
  let asked = false;
  return {
    open,
    // Asked again while it goes on, it is done once more: what changed may have come too late for some.
    renew: () => {
      if (!asked) {
        asked = true;
        renewing = renewing.then(() => {
          asked = false;
          return renewAll();
        });
      }
      return renewing;
    },
    close: async () => {
      ending = true;
      for (const place of places) place.leave();
      const ends = [...running].map(async (worker) => {
        worker.drain();
        const { code } = await worker.gone;
        // One that had not served yet has lost nothing, however it ended: a signal to the whole group may have killed it.
        return code === 0 || !served.has(worker);
      });
      return (await Promise.all(ends)).every((endedWell) => endedWell);
    },
  };
};
