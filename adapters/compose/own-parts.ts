import type { AccountsPorts, Kms, Limiter } from '../../core/index.ts';
import type { Mischief } from '../sandbox-billing/post.ts';
import type { StorePorts } from '../store-place.ts';
import type { OpenedKms, OpenedLimiter } from './chosen.ts';

/** Parts an embedding app brings itself, in place of ours. Who made them closes them. */
export interface OwnParts
  extends Partial<Pick<AccountsPorts, 'clock' | 'dns' | 'mailer' | 'events' | 'log' | 'kms'>> {
  /** In place of those of the store that the settings name. */
  readonly store?: Partial<StorePorts>;
  readonly limiter?: Limiter;
  /** For commands, which make no empty store. */
  readonly onlyExisting?: true;
  /** Whether metrics and traces that the settings ask for are kept: for servers. */
  readonly observed?: boolean;
  /** For tests: what the sandbox does to its deliveries. */
  readonly mischief?: () => Mischief;
}

/** Whether apps may bring the part; the others are for our own commands and tests. */
const KNOWN: Readonly<Record<keyof OwnParts, boolean>> = {
  clock: true,
  dns: true,
  mailer: true,
  events: true,
  log: true,
  kms: true,
  limiter: true,
  store: true,
  observed: true,
  onlyExisting: false,
  mischief: false,
};

/** Throws `TypeError` for a part that nothing would ask: in plain JavaScript no type tells of it. */
export const requireKnownParts = (
  own: object,
  known: Readonly<Record<string, boolean>> = KNOWN,
  by = 'compose',
): void => {
  for (const name of Object.keys(own)) {
    if (Object.hasOwn(known, name)) continue;
    const forApps = Object.keys(known).filter((one) => known[one]);
    throw new TypeError(`${by} takes no part named ${name}: it takes ${forApps.join(', ')}.`);
  }
};

/** A KMS whose keys and health are its owner's matter. */
export const ownKms = (kms: Kms): OpenedKms => ({
  seal: (plain, context) => kms.seal(plain, context),
  open: (sealed, context) => kms.open(sealed, context),
  keyOf: (sealed) => kms.keyOf(sealed),
  current: () => kms.current(),
  isUp: () => true,
  close: () => undefined,
});

export const ownLimiter = (limiter: Limiter): OpenedLimiter => ({
  take: (bucket, key) => limiter.take(bucket, key),
  tried: Promise.resolve(),
  close: () => undefined,
});
