import type { Log } from '../../core/index.ts';

/** A job that this process repeats, one run at a time. */
export interface Interval {
  start(): void;
  /** Waits for the run under way, runs the job once more for what came since, and ends. */
  close(): Promise<void>;
}

/** Repeats `work` with `pause` milliseconds between two runs. A failed run is logged under `name`. */
export const makeInterval = (
  name: string,
  pause: number,
  work: () => Promise<unknown>,
  log: Log,
): Interval => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  let open = true;

  const run = async (): Promise<void> => {
    await work().catch((error: unknown) => log.warn('background.failed', { id: name, error }));
  };

  const wait = (): void => {
    if (!open) return;
    timer = setTimeout(() => {
      running = run().finally(wait);
    }, pause).unref();
  };

  return {
    start: wait,
    close: async () => {
      open = false;
      clearTimeout(timer);
      await running;
      await run();
    },
  };
};
