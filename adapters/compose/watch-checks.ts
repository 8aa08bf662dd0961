import type { Clock, Log } from '../../core/index.ts';
import type { Check } from './checks.ts';

/** Milliseconds between two looks. */
const EVERY = 5_000;
/** Milliseconds after which a dependency that is still down is told of again. */
const REMINDED_AFTER = 900_000;

/**
 * Warns of each dependency that health names as down: once, and again every 15 minutes until it is back. What the
 * dependencies log themselves comes with calls, and of mail nobody hears otherwise.
 */
export const makeLook = (
  checks: readonly Pick<Check, 'name' | 'check'>[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (() => Promise<void>) => {
  const toldAt = new Map<string, number>();

  const lookAt = async ({ name, check }: Pick<Check, 'name' | 'check'>): Promise<void> => {
    const isUp = await check().catch(() => false);
    const told = toldAt.get(name);
    if (isUp) {
      if (toldAt.delete(name)) log.info('dependency.back', { id: name });
    } else if (told === undefined || Math.abs(clock.now() - told) >= REMINDED_AFTER) {
      toldAt.set(name, clock.now());
      log.warn('dependency.down', { id: name });
    }
  };

  return async () => {
    await Promise.all(checks.map(lookAt));
  };
};

/** Looks again and again once it is started, one look at a time. */
export const watchChecks = (...given: Parameters<typeof makeLook>) => {
  const look = makeLook(...given);
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const wait = () => {
    if (isOpen) timer = setTimeout(() => void look().finally(wait), EVERY).unref();
  };
  return {
    start: wait,
    close: () => {
      isOpen = false;
      clearTimeout(timer);
    },
  };
};
