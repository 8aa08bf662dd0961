import { requireArguments } from '../../core/check-arguments.ts';
import { invalid } from '../../core/errors.ts';
import { FORMER_PORT_NAMES } from '../../core/former-port-names.ts';
import type { AccountsPorts, Kms, Limiter, Log } from '../../core/index.ts';
import {
  BYTES,
  CALL,
  constant,
  custom,
  FLAG,
  isRecord,
  LIST,
  nullable,
  OBJECT,
  object,
  optional,
  type Schema,
  TEXT,
  withCalls,
} from '../../core/schema.ts';
import { inTime } from '../calls/in-time.ts';
import type { StartHashRunner } from '../hashing/runner-with-deadline.ts';
import { type FormerStorePorts, STORE_PORTS, type StorePorts } from '../store.ts';
import type { ManagedKms } from './choose-adapters.ts';

/** Adapters of an embedding app, in place of ours. The app closes them itself. */
export interface Overrides
  extends Partial<
    Pick<AccountsPorts, 'clock' | 'dns' | 'mailer' | 'mailTexts' | 'events' | 'log' | 'kms' | 'providers'>
  > {
  /** Ports that replace ports of the store that the settings name. */
  readonly store?: Partial<StorePorts & FormerStorePorts>;
  readonly limiter?: Limiter;
  /** For commands: fails if there is no store, instead of creating an empty store. */
  readonly onlyExisting?: true;
  /** For tests: starts the hashing children of `HASHER=native`, so that several compositions can use the same ones. */
  readonly startHashRunner?: StartHashRunner;
  /** For servers: whether the metrics and traces of the settings are on. */
  readonly observed?: boolean;
}

const PORT_NAMES = [...STORE_PORTS, ...Object.values(FORMER_PORT_NAMES)];

/** The required form of each override of an app. The contract suites of stores test the methods of their ports. */
const FOR_APPS = {
  clock: custom(
    'an object whose now() returns whole milliseconds',
    (value) => isRecord(value) && typeof value.now === 'function' && Number.isSafeInteger(value.now()),
  ),
  dns: withCalls('txt'),
  mailer: withCalls('send'),
  mailTexts: object({
    find: CALL,
    frame: nullable(CALL),
    logo: nullable(object({ cid: TEXT, type: constant('image/png'), bytes: BYTES })),
  }),
  events: withCalls('publish'),
  log: withCalls('info', 'warn', 'error'),
  kms: withCalls('seal', 'open', 'keyOf', 'current'),
  limiter: withCalls('take'),
  providers: object({ list: LIST, begin: CALL, identify: CALL, issuerOf: CALL }),
  store: object(Object.fromEntries(PORT_NAMES.map((name) => [name, optional(OBJECT)]))),
  observed: FLAG,
} satisfies Readonly<Record<string, Schema>>;

/** The required forms of all overrides but `onlyExisting`, which only our own commands pass. */
const RULES: Readonly<Record<string, Schema>> = { ...FOR_APPS, startHashRunner: CALL };

const requireNames = (value: object, names: readonly string[], shown: readonly string[], problem: string) => {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalid('invalid_request', `${problem} named '${unknown}'; the names are ${shown.join(', ')}.`);
};

/** Overrides that only our own commands and tests use. */
const INTERNAL: readonly (keyof Overrides)[] = ['onlyExisting', 'startHashRunner'];

/**
 * Throws `invalid` (`invalid_request`) for an unknown override or one of the wrong form. The message begins with `by` and lists
 * `names`, but not the `internal` names, which are admitted as well.
 */
export const checkOverrides = (
  overrides: Overrides,
  by = 'createGatehouse',
  names: readonly string[] = Object.keys(FOR_APPS),
  internal: readonly string[] = INTERNAL,
): void => {
  requireArguments([overrides], { overrides: OBJECT });
  requireNames(overrides, [...names, ...internal], names, `${by} has no override`);
  for (const [name, rule] of Object.entries(RULES))
    requireArguments([Reflect.get(overrides, name)], { [`overrides.${name}`]: optional(rule) });
  requireNames(overrides.store ?? {}, PORT_NAMES, STORE_PORTS, 'A store has no port');
};

/** An app's KMS without any `rotate`, `isUp` or `close`, which the app itself calls: it manages keys and health. */
export const kmsOfApp = (kms: Kms): ManagedKms => ({
  seal: (plain, context) => kms.seal(plain, context),
  open: (sealed, context) => kms.open(sealed, context),
  keyOf: (sealed) => kms.keyOf(sealed),
  current: () => kms.current(),
});

/**
 * An app's log whose failures stay there: the line is lost, and the call that logs it goes on. A log of the app may return a
 * promise, whose rejection would otherwise end the process.
 */
const logOfApp = (log: Log, processLog: Log): Log => {
  const at =
    (level: keyof Log): Log['info'] =>
    (event, fields) => {
      const write = async () => log[level](event, fields);
      write().catch((error: unknown) => processLog.error('log.failed', { reason: event, error }));
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
};

/** When a call of an app's mailer or listener counts as failed. Otherwise a call that hangs would hold up `close`. */
const DEADLINE_MS = 30_000;

const makeLateError = () => new Error(`There was no answer within ${DEADLINE_MS} ms.`);

/** The overrides, guarded: a failing log fails no call of the product, and a hanging mailer or listener delays none for long. */
export const guardOverrides = (overrides: Overrides, processLog: Log): Overrides => {
  const { events, log, mailer } = overrides;
  return {
    ...overrides,
    ...(events && {
      events: { publish: (event) => inTime(DEADLINE_MS, events.publish(event), makeLateError) },
    }),
    ...(log && { log: logOfApp(log, processLog) }),
    ...(mailer && {
      mailer: { send: (message) => inTime(DEADLINE_MS, mailer.send(message), makeLateError) },
    }),
  };
};
