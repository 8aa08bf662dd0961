import type { StoredEvent } from '../../core/billing/ports.ts';
import type { Budget, Clock, Lease } from '../../core/ports.ts';
import { type Around, aroundMethods, whenEnded } from '../calls/around-methods.ts';
import { outcomeOf, outcomeOfDelivery } from '../calls/outcome.ts';
import type { Instruments } from './instruments.ts';

/** The ports of the store, by their names in the composition. */
const STORES = new Set(
  `accounts directory sessions presences tries customDomains outbox files activity sealed epoch owners audit
  ledger links rates objects`.split(/\s+/),
);

/** What stands outside, and how health names it. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  cache: 'cache',
  kms: 'kms',
  mailer: 'mail',
  provider: 'billing',
  rateSource: 'rates',
  dns: 'dns',
};

/** What the limiter logs when it loses what it shares with other processes, and has it again. */
const APART: Readonly<Record<string, number>> = {
  'limiter.apart': 1,
  'limiter.shared': 0,
  'limiter.failed': 1,
  'limiter.back': 0,
};

const seconds = (began: number): number => (performance.now() - began) / 1_000;

/** Deliveries whose receipt is remembered until they are applied. */
const MOST_REMEMBERED = 10_000;

const watchLedger = ({ webhookLag }: Instruments, clock: Clock) => {
  const receivedAt = new Map<string, number>();
  const remember = (events: readonly StoredEvent[]) => {
    if (receivedAt.size > MOST_REMEMBERED) receivedAt.clear();
    for (const event of events) receivedAt.set(event.id, event.receivedAt);
  };
  return (method: string, given: readonly unknown[], value: unknown): void => {
    if (method === 'listDue') remember(value as readonly StoredEvent[]);
    if (method !== 'settle') return;
    const [id, standing] = given;
    const since = receivedAt.get(String(id));
    receivedAt.delete(String(id));
    if (standing === 'applied' && since !== undefined) webhookLag.observe((clock.now() - since) / 1_000);
  };
};

/** Gives the part that does the same and is measured; parts that nobody measures are given back. */
export const makeMeasured = (instruments: Instruments, clock: Clock) => {
  const { dependencyCall, storeCall, cacheReads, rateLimitRefusals, leaseHeld, limiterApart, logLines } =
    instruments;
  const seeLedger = watchLedger(instruments, clock);

  /** Calls of a port that does its work later: what a method gives at once is no call to anything. */
  const timed =
    (
      note: (method: string, outcome: string, took: number) => void,
      ofValue?: (value: unknown) => string,
    ): Around =>
    (method, _given, call) => {
      const began = performance.now();
      const result = call();
      if (result instanceof Promise) {
        whenEnded(result, (ending) => note(method, outcomeOf(ending, ofValue), seconds(began)));
      }
      return result;
    };

  const storeAround = (store: string): Around => {
    const time = timed((method, outcome, took) => storeCall.labels(store, method, outcome).observe(took));
    if (store !== 'ledger') return time;
    return (method, given, call) => {
      const result = time(method, given, call);
      whenEnded(result, (ending) => {
        if ('value' in ending) seeLedger(method, given, ending.value);
      });
      return result;
    };
  };

  const dependencyAround = (dependency: string): Around => {
    const time = timed(
      (method, outcome, took) => dependencyCall.labels(dependency, method, outcome).observe(took),
      dependency === 'mail' ? outcomeOfDelivery : undefined,
    );
    if (dependency !== 'cache') return time;
    return (method, given, call) => {
      const result = time(method, given, call);
      if (method !== 'get') return result;
      whenEnded(result, (ending) => {
        const isHit = 'value' in ending && ending.value !== undefined;
        cacheReads.inc({ result: 'error' in ending ? 'failure' : isHit ? 'hit' : 'miss' });
      });
      return result;
    };
  };

  const limiterAround: Around = (method, [bucket], call) => {
    const result = call();
    if (method !== 'take') return result;
    whenEnded(result, (ending) => {
      if (!('value' in ending) || (ending.value as Budget).allowed) return;
      rateLimitRefusals.inc({ bucket: (bucket as { readonly name: string }).name });
    });
    return result;
  };

  const leasesAround: Around = (method, [name], call) => {
    const result = call();
    if (method !== 'take' && method !== 'release') return result;
    whenEnded(result, (ending) => {
      const lease = 'value' in ending && method === 'take' ? (ending.value as Lease | undefined) : undefined;
      leaseHeld.set({ task: String(name) }, lease === undefined ? 0 : 1);
    });
    return result;
  };

  const logAround: Around = (level, [event], call) => {
    const apart = APART[String(event)];
    if (apart !== undefined) limiterApart.set(apart);
    if (level === 'warn' || level === 'error') logLines.inc({ level, event: String(event) });
    return call();
  };

  const OTHERS: Readonly<Record<string, Around>> = {
    limiter: limiterAround,
    leases: leasesAround,
    log: logAround,
  };

  return <T>(name: string, part: T): T => {
    const dependency = DEPENDENCIES[name];
    const around =
      OTHERS[name] ??
      (dependency !== undefined
        ? dependencyAround(dependency)
        : STORES.has(name)
          ? storeAround(name)
          : undefined);
    return around === undefined || typeof part !== 'object' || part === null
      ? part
      : aroundMethods(part, around);
  };
};
