import type { Clock, Files, HealthCheck, Log } from '../../core/index.ts';
import { makeSharedCalls } from '../../core/join-running-calls.ts';
import { inTime } from '../calls/in-time.ts';
import type { OpenedResources } from './open-resources.ts';

const TIMEOUT_MS = 1_000;

/**
 * A dependency whose call fails or takes longer than the time-out counts as down. A call that still runs after the time-out is
 * not started again: later checks wait for its result.
 */
export const makeCheck = (
  name: string,
  isUp: () => boolean | Promise<boolean>,
  { needed }: Pick<HealthCheck, 'needed'> = { needed: false },
): HealthCheck => {
  const share = makeSharedCalls<boolean>();
  const call = () => share(name, async () => isUp());
  const late = () => new Error('The check took too long.');
  return { name, needed, check: () => inTime(TIMEOUT_MS, call(), late).catch(() => false) };
};

/**
 * The checks of health and readiness. Only the store is needed. Objects and KMS are not called, since calls may cost money: their
 * state comes from their last calls.
 */
export const makeChecks = ({
  store,
  mailer,
  cache,
  files,
  kms,
  billing,
  providers,
}: OpenedResources & { readonly files: Files }): readonly HealthCheck[] => [
  makeCheck('store', () => store.isUp(), { needed: true }),
  // Without objects only avatars fail.
  makeCheck('objects', () => store.areObjectsUp()),
  // Mail waits until its provider is back.
  makeCheck('mail', () => mailer.isUp()),
  // Files are read from the store while the cache is down.
  makeCheck('cache', () => cache.isUp()),
  // False for some seconds after a process raised the cache generation, as everything cached is a miss then.
  makeCheck('cache_epoch', files.background.isCacheSteady),
  // Without the KMS only what needs a sealed secret fails.
  makeCheck('kms', () => kms.isUp?.() ?? true),
  makeCheck('billing', () => billing.isUp?.() ?? true),
  ...[...providers.areUp].map(([id, isUp]) => makeCheck(`oidc:${id}`, isUp)),
];

/** The time between two rounds of checks. */
const CHECK_INTERVAL_MS = 5_000;
/** The time until a dependency that is still down is logged again. */
const REMINDER_INTERVAL_MS = 900_000;

/** The result logs each dependency that is down: once, and again every 15 minutes until it is back. */
export const makeLogDependencies = (
  checks: readonly HealthCheck[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (() => Promise<void>) => {
  const loggedAt = new Map<string, number>();

  const logDependency = async ({ name, check }: HealthCheck): Promise<void> => {
    if (await check()) {
      if (loggedAt.delete(name)) log.info('dependency.back', { id: name });
      return;
    }
    const lastLogged = loggedAt.get(name);
    // `abs`: if the clock was set back, `lastLogged` may be far in the future, and must not silence the log until then.
    if (lastLogged === undefined || Math.abs(clock.now() - lastLogged) >= REMINDER_INTERVAL_MS) {
      loggedAt.set(name, clock.now());
      log.warn('dependency.down', { id: name });
    }
  };

  return async () => {
    await Promise.all(checks.map(logDependency));
  };
};

/** Runs the checks at an interval, one round at a time. */
export const watchChecks = (...args: Parameters<typeof makeLogDependencies>) => {
  const logDependencies = makeLogDependencies(...args);
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const wait = () => {
    // Nobody has to handle a failure: checks do not throw.
    if (isOpen) timer = setTimeout(() => void logDependencies().finally(wait), CHECK_INTERVAL_MS).unref();
  };
  return {
    start: wait,
    close: () => {
      isOpen = false;
      clearTimeout(timer);
    },
  };
};
