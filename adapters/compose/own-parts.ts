import {
  BYTES,
  CALL,
  FLAG,
  LIST,
  OBJECT,
  oneOf,
  optional,
  orNull,
  type Rule,
  record,
  requireArguments,
  TEXT,
} from '../../core/arguments.ts';
import { invalid } from '../../core/errors.ts';
import type { AccountsPorts, InlineImage, Kms, Limiter, MailTexts } from '../../core/index.ts';
import type { Mischief } from '../sandbox-billing/post.ts';
import type { StorePorts } from '../store-place.ts';
import type { OpenedKms, OpenedLimiter } from './chosen.ts';

/** Parts an embedding app brings itself, in place of ours. Who made them closes them. */
export interface OwnParts
  extends Partial<
    Pick<AccountsPorts, 'clock' | 'dns' | 'mailer' | 'mailTexts' | 'events' | 'log' | 'kms' | 'providers'>
  > {
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

const withCalls = (...names: readonly string[]): Rule =>
  record(Object.fromEntries(names.map((name) => [name, CALL])));

/** Each an object: its calls are for the store's own suites to try. */
const STORE: Readonly<Record<keyof StorePorts, true>> = {
  accounts: true,
  directory: true,
  sessions: true,
  presences: true,
  tries: true,
  customDomains: true,
  loginKeys: true,
  flows: true,
  outbox: true,
  audit: true,
  statistics: true,
  findings: true,
  objects: true,
  files: true,
  activity: true,
  sealed: true,
  epoch: true,
  owners: true,
  ledger: true,
  links: true,
  rates: true,
  webhooks: true,
  leases: true,
};

/** Of each part that an app may bring, what it must be. */
const RULES = {
  clock: withCalls('now'),
  dns: withCalls('txt'),
  mailer: withCalls('send'),
  mailTexts: record<MailTexts>({
    find: CALL,
    frame: orNull(CALL),
    logo: orNull(record<InlineImage>({ cid: TEXT, type: oneOf('image/png'), bytes: BYTES })),
  }),
  events: withCalls('publish'),
  log: withCalls('info', 'warn', 'error'),
  kms: withCalls('seal', 'open', 'keyOf', 'current'),
  limiter: withCalls('take'),
  providers: record({ list: LIST, begin: CALL, identify: CALL }),
  store: record(Object.fromEntries(Object.keys(STORE).map((name) => [name, optional(OBJECT)]))),
  observed: FLAG,
  settings: OBJECT,
} satisfies Readonly<Record<string, Rule>>;

/** Whether apps may bring the part; the others are for our own commands and tests. */
const KNOWN: Readonly<Record<keyof OwnParts, boolean>> = {
  clock: true,
  dns: true,
  mailer: true,
  mailTexts: true,
  events: true,
  log: true,
  kms: true,
  limiter: true,
  providers: true,
  store: true,
  observed: true,
  onlyExisting: false,
  mischief: false,
};

const requireNames = (given: object, known: Readonly<Record<string, boolean>>, what: string): void => {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const forApps = Object.keys(known).filter((one) => known[one]);
    throw invalid('invalid_request', `${what} named '${name}': it takes ${forApps.join(', ')}.`);
  }
};

/** Throws `invalid` (`invalid_request`) for a part that nothing would ask, or that is not what it must be. */
export const requireKnownParts = (
  own: OwnParts,
  known: Readonly<Record<string, boolean>> = KNOWN,
  by = 'compose',
): void => {
  requireArguments([own], { own: OBJECT });
  requireNames(own, known, `${by} takes no part`);
  for (const [name, rule] of Object.entries(RULES))
    requireArguments([Reflect.get(own, name)], { [`own.${name}`]: optional(rule) });
  requireNames(own.store ?? {}, STORE, 'A store has no port');
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
