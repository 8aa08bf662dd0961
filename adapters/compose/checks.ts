import type { Clock, Files, Log } from '../../core/index.ts';
import type { OpenedProviders } from '../oidc/identity-providers.ts';
import type { OpenedStore } from '../store-place.ts';
import type { OpenedBilling } from './billing.ts';
import type { OpenedKms } from './chosen.ts';
import type { WatchedMailer } from './watched-mailer.ts';

/** A dependency of the services. `needed`: they can do nothing without it. */
export interface Check {
  readonly name: string;
  readonly needed: boolean;
  check(): Promise<boolean>;
}

/**
 * What health and readiness look at. Mail can wait: it is sent when its provider is back. Without the cache, and while
 * its epoch is raised, the store is read. Without its objects the product does everything but avatars, without its KMS
 * everything that needs no sealed secret. These two are not asked, since that may cost money: their last calls tell.
 */
export const makeChecks = ({
  store,
  mailer,
  cache,
  files,
  kms,
  seller,
  providers,
}: {
  readonly store: Pick<OpenedStore, 'isUp' | 'areObjectsUp'>;
  readonly mailer: WatchedMailer;
  readonly cache: { isUp(): Promise<boolean> };
  readonly files: Pick<Files, 'background'>;
  readonly kms: Pick<OpenedKms, 'isUp'>;
  readonly seller: Pick<OpenedBilling, 'isUp'>;
  readonly providers: Pick<OpenedProviders, 'areUp'>;
}): readonly Check[] => [
  { name: 'store', needed: true, check: () => store.isUp() },
  { name: 'objects', needed: false, check: async () => store.areObjectsUp() },
  { name: 'mail', needed: false, check: async () => mailer.isUp() },
  { name: 'cache', needed: false, check: () => cache.isUp() },
  { name: 'cache_epoch', needed: false, check: files.background.isCacheSteady },
  { name: 'kms', needed: false, check: async () => kms.isUp() },
  { name: 'billing', needed: false, check: async () => seller.isUp() },
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

/**
 * Logs each dependency that health names as down: once, and again every 15 minutes until it is back. Without this an
 * outage shows in the log only when a call fails, and an outage of mail not at all.
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

/** Checks at an interval once it is started, one round at a time. */
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
