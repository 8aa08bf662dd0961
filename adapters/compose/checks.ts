import type { Files } from '../../core/index.ts';
import type { OpenedStore } from '../store-place.ts';
import type { OpenedBilling } from './billing.ts';
import type { OpenedKms } from './chosen.ts';
import type { WatchedMailer } from './watched-mailer.ts';

/** One thing that the services stand on. `needed`: without it they can do nothing. */
export interface Check {
  readonly name: string;
  readonly needed: boolean;
  check(): Promise<boolean>;
}

/**
 * What health and readiness look at. Mail can wait: it is sent when its provider is back. Without the cache, and while
 * its epoch is raised, the store is read. Without its KMS the product does everything that needs no sealed secret. The
 * KMS is not asked, since that may cost money: its last calls tell.
 */
export const makeChecks = ({
  store,
  mailer,
  cache,
  files,
  kms,
  seller,
}: {
  readonly store: Pick<OpenedStore, 'isUp'>;
  readonly mailer: WatchedMailer;
  readonly cache: { isUp(): Promise<boolean> };
  readonly files: Pick<Files, 'background'>;
  readonly kms: Pick<OpenedKms, 'isUp'>;
  readonly seller: Pick<OpenedBilling, 'isUp'>;
}): readonly Check[] => [
  { name: 'store', needed: true, check: () => store.isUp() },
  { name: 'mail', needed: false, check: async () => mailer.isUp() },
  { name: 'cache', needed: false, check: () => cache.isUp() },
  { name: 'cache_epoch', needed: false, check: files.background.isCacheSteady },
  { name: 'kms', needed: false, check: async () => kms.isUp() },
  { name: 'billing', needed: false, check: async () => seller.isUp() },
];
