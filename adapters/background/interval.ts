import type { Log } from '../../core/index.ts';

/** Something that this process does again and again, one run at a time. */
export interface Every {
  start(): void;
  /** Ends it after a last run. */
  close(): Promise<void>;
}

/** `every` in milliseconds; `name` is what a failed run is logged under. */
export const makeEvery = (name: string, every: number, work: () => Promise<unknown>, log: Log): Every => {
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
    }, every).unref();
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
