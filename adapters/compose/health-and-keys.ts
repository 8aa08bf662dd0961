import type { Accounts, Clock, EventLedger, HealthView, Leases, OutboxStore } from '../../core/index.ts';
import { makeShowHealth, type ServiceHealth } from '../../core/installation-health.ts';
import { type CountedKey, type KeyLine, type ShownKey, withSealed } from '../../core/key-status.ts';
import { inTime } from '../metrics/sampled-gauges.ts';
import type { Check } from './health-checks.ts';

/** Reads the health of the metadata service; null if no setting names its address. Does not throw. */
export type AskMetadata = () => Promise<ServiceHealth | null>;

/** Milliseconds. */
const DEADLINE = 1_000;
/** The largest response in characters. */
const LONGEST = 16_384;

const SERVICE = 'drop-metadata';
const NAME = /^[a-z0-9_:.-]{1,64}$/i;

const UNREACHABLE: ServiceHealth = { service: SERVICE, status: 'unreachable', down: [], up: [] };
const WELL: ServiceHealth = { service: SERVICE, status: 'ok', down: [], up: [] };

/** Reads a health response. Another process wrote it, so names that operators will see are checked. */
const readHealth = (text: string): ServiceHealth => {
  const health: unknown = JSON.parse(text);
  if (typeof health !== 'object' || health === null || !('status' in health)) return UNREACHABLE;
  if (health.status === 'ok') return WELL;
  const down: readonly unknown[] = 'down' in health && Array.isArray(health.down) ? health.down : [];
  const names = down.filter((name): name is string => typeof name === 'string' && NAME.test(name));
  return { service: SERVICE, status: 'degraded', down: names, up: [] };
};

/** Reads the health at `METADATA_URL` within a second. */
export const makeAskMetadata = (url: string | null): AskMetadata => {
  if (url === null) return async () => null;
  const address = `${url.replace(/\/+$/, '')}/health`;

  const ask = async (): Promise<ServiceHealth> => {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(DEADLINE) });
    // A rate-limited service is up.
    if (response.status === 429) return WELL;
    const text = response.ok ? await response.text() : '';
    return text.length > LONGEST ? UNREACHABLE : readHealth(text);
  };

  return () => ask().catch(() => UNREACHABLE);
};

/** The state of the installation as operators see it. */
export interface Installation {
  health(): Promise<HealthView>;
  /** The keys with the number of values that each sealed, by the last hourly count. */
  keys(): Promise<readonly ShownKey[]>;
}

interface InstallationDeps {
  readonly clock: Clock;
  readonly leases: Leases;
  readonly outbox: OutboxStore;
  readonly ledger: EventLedger;
  readonly accounts: Accounts;
  readonly checks: readonly Check[];
  readonly jobs: readonly { readonly name: string; readonly every: number }[];
  readonly askMetadata: AskMetadata;
  /** The keys of the files that the settings name. */
  readonly listKeys: () => Promise<readonly KeyLine[]>;
}

export const makeInstallation = ({
  accounts,
  checks,
  askMetadata,
  listKeys,
  ...deps
}: InstallationDeps): Installation => {
  const askAccounts = async (): Promise<ServiceHealth> => {
    const results = await Promise.all(checks.map(async (check) => ({ ...check, isUp: await inTime(check) })));
    const namesOf = (isUp: boolean) =>
      results.filter((result) => result.isUp === isUp).map(({ name }) => name);
    const down = namesOf(false);
    return {
      service: 'drop-accounts',
      status: down.length === 0 ? 'ok' : 'degraded',
      down,
      up: namesOf(true),
    };
  };
  const askServices = async (): Promise<readonly ServiceHealth[]> => {
    const services = await Promise.all([askAccounts(), askMetadata()]);
    return services.filter((service) => service !== null);
  };

  return {
    health: makeShowHealth({ ...deps, askServices }),
    keys: async () => {
      const [lines, sealedCounts] = await Promise.all([listKeys(), accounts.operate.sealedKeys()]);
      const keys: readonly CountedKey[] =
        sealedCounts === undefined
          ? lines
          : withSealed(lines, new Map(sealedCounts.counts), sealedCounts.current);
      const countedAt = sealedCounts === undefined ? null : new Date(sealedCounts.countedAt).toISOString();
      return keys.map(({ sealed, ...line }) => ({ ...line, sealed: sealed ?? null, countedAt }));
    },
  };
};
