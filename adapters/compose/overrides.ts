import { requireArguments } from '../../core/check-arguments.ts';
import { invalid } from '../../core/errors.ts';
import type { AccountsPorts, Kms, Limiter } from '../../core/index.ts';
import {
  BYTES,
  CALL,
  FLAG,
  LIST,
  nullable,
  OBJECT,
  object,
  oneOf,
  optional,
  type Schema,
  TEXT,
} from '../../core/schema.ts';
import type { StartHashRunner } from '../hashing/runner-with-deadline.ts';
import type { StorePorts } from '../store.ts';
import type { ManagedKms, OpenedLimiter } from './choose-adapters.ts';

/** Adapters of an embedding app, in place of ours. The app closes them itself. */
export interface Overrides
  extends Partial<
    Pick<AccountsPorts, 'clock' | 'dns' | 'mailer' | 'mailTexts' | 'events' | 'log' | 'kms' | 'providers'>
  > {
  /** Ports that replace ports of the store that the settings name. */
  readonly store?: Partial<StorePorts>;
  readonly limiter?: Limiter;
  /** For commands: fails if there is no store, instead of creating an empty store. */
  readonly onlyExisting?: true;
  /** For tests: starts the hashing children of `HASHER=native`, so that several compositions can use the same ones. */
  readonly startHashRunner?: StartHashRunner;
  /** For servers: whether the metrics and traces of the settings are on. */
  readonly observed?: boolean;
}

const withCalls = (...names: readonly string[]): Schema =>
  object(Object.fromEntries(names.map((name) => [name, CALL])));

/** Each port must be an object; its methods are not checked here, since the contract suites of stores test them. */
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

/** Picks the ports of the store from a larger set. */
export const storePortsOf = (ports: StorePorts): StorePorts =>
  Object.fromEntries(
    (Object.keys(STORE) as (keyof StorePorts)[]).map((name) => [name, ports[name]]),
  ) as unknown as StorePorts;

/** The required form of each override. */
const RULES = {
  clock: withCalls('now'),
  dns: withCalls('txt'),
  mailer: withCalls('send'),
  mailTexts: object({
    find: CALL,
    frame: nullable(CALL),
    logo: nullable(object({ cid: TEXT, type: oneOf(['image/png']), bytes: BYTES })),
  }),
  events: withCalls('publish'),
  log: withCalls('info', 'warn', 'error'),
  kms: withCalls('seal', 'open', 'keyOf', 'current'),
  limiter: withCalls('take'),
  providers: object({ list: LIST, begin: CALL, identify: CALL }),
  store: object(Object.fromEntries(Object.keys(STORE).map((name) => [name, optional(OBJECT)]))),
  observed: FLAG,
  startHashRunner: CALL,
  settings: OBJECT,
} satisfies Readonly<Record<string, Schema>>;

/** Whether apps may use the override; the others are for our own commands and tests. */
const FOR_APPS: Readonly<Record<keyof Overrides, boolean>> = {
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
  startHashRunner: false,
};

const requireNames = (value: object, allowed: Readonly<Record<string, boolean>>, problem: string): void => {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(allowed, name)) continue;
    const forApps = Object.keys(allowed).filter((key) => allowed[key]);
    throw invalid('invalid_request', `${problem} named '${name}'; the names are ${forApps.join(', ')}.`);
  }
};

/** Throws `invalid` (`invalid_request`) for an unknown override or one of the wrong form. */
export const checkOverrides = (
  overrides: Overrides,
  allowed: Readonly<Record<string, boolean>> = FOR_APPS,
  by = 'compose',
): void => {
  requireArguments([overrides], { own: OBJECT });
  requireNames(overrides, allowed, `${by} has no override`);
  for (const [name, rule] of Object.entries(RULES))
    requireArguments([Reflect.get(overrides, name)], { [`own.${name}`]: optional(rule) });
  requireNames(overrides.store ?? {}, STORE, 'A store has no port');
};

/** A KMS of an app, which manages keys and health itself. */
export const kmsOfApp = (kms: Kms): ManagedKms => ({
  seal: (plain, context) => kms.seal(plain, context),
  open: (sealed, context) => kms.open(sealed, context),
  keyOf: (sealed) => kms.keyOf(sealed),
  current: () => kms.current(),
  isUp: () => true,
  close: () => undefined,
});

export const limiterOfApp = (limiter: Limiter): OpenedLimiter => ({
  take: (bucket, key) => limiter.take(bucket, key),
  tried: Promise.resolve(),
  close: () => undefined,
});
