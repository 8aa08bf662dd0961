import type { Clock, Files, Log } from '../../core/index.ts';
import type { OpenedResources } from './open-resources.ts';

/** A dependency of the services. `needed`: the services cannot work without it. */
export interface Check {
  readonly name: string;
  readonly needed: boolean;
  check(): Promise<boolean>;
}

/**
 * The checks of health and readiness. Only the store is needed: mail can wait until its provider is back, and files are read from
 * the store while the cache is down. The check `cache_epoch` fails for some seconds after a process raised the cache generation:
 * everything cached is a miss then. Without objects only avatars fail; without the KMS only what needs a sealed secret. Objects
 * and KMS are not called, since calls may cost money: their state comes from their last calls.
 */
export const makeChecks = ({
  store,
  mailer,
  cache,
  files,
  kms,
  billing,
  providers,
}: OpenedResources & { readonly files: Files }): readonly Check[] => [
  { name: 'store', needed: true, check: () => store.isUp() },
  { name: 'objects', needed: false, check: async () => store.areObjectsUp() },
  { name: 'mail', needed: false, check: async () => mailer.isUp() },
  { name: 'cache', needed: false, check: () => cache.isUp() },
  { name: 'cache_epoch', needed: false, check: files.background.isCacheSteady },
  { name: 'kms', needed: false, check: async () => kms.isUp?.() ?? true },
  { name: 'billing', needed: false, check: async () => billing.isUp?.() ?? true },
  ...[...providers.areUp].map(([id, isUp]) => ({
    name: `oidc:${id}`,
    needed: false,
    check: async () => isUp(),
  })),
];

/** Milliseconds between two rounds of checks. */
const EVERY = 5_000;
/** Milliseconds until a dependency that is still down is logged again. */
const REMINDED_AFTER = 900_000;

/** Logs each dependency that is down: once, and again every 15 minutes until it is back. */
export const makeCheckRound = (
  checks: readonly Pick<Check, 'name' | 'check'>[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): (() => Promise<void>) => {
  const loggedAt = new Map<string, number>();

  const runCheck = async ({ name, check }: Pick<Check, 'name' | 'check'>): Promise<void> => {
    const isUp = await check().catch(() => false);
    if (isUp) {
      if (loggedAt.delete(name)) log.info('dependency.back', { id: name });
      return;
    }
    const lastLogged = loggedAt.get(name);
    // `abs`: if the clock was set back, `lastLogged` may be far in the future, and must not silence the log until then.
    if (lastLogged === undefined || Math.abs(clock.now() - lastLogged) >= REMINDED_AFTER) {
      loggedAt.set(name, clock.now());
      log.warn('dependency.down', { id: name });
    }
  };

  return async () => {
    await Promise.all(checks.map(runCheck));
  };
};

/** Runs the checks at an interval, one round at a time. */
export const watchChecks = (...args: Parameters<typeof makeCheckRound>) => {
  const runRound = makeCheckRound(...args);
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const wait = () => {
    if (isOpen) timer = setTimeout(() => void runRound().finally(wait), EVERY).unref();
  };
  return {
    start: wait,
    close: () => {
      isOpen = false;
      clearTimeout(timer);
    },
  };
};
