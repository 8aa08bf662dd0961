import { makeShowHealth, type ServiceHealth } from '../../core/health.ts';
import type { Accounts, Clock, EventLedger, HealthView, Leases, OutboxStore } from '../../core/index.ts';
import { type CountedKey, type KeyLine, withSealed } from '../../core/key-lines.ts';
import { inTime } from '../metrics/samples.ts';
import type { Check } from './checks.ts';
import type { AskMetadata } from './metadata-health.ts';

/** A key with when the counts of what the master keys sealed were made: ISO 8601, null before the first count. */
export interface ShownKey extends KeyLine {
  /** Null for keys that seal nothing, and before the first count. */
  readonly sealed: number | null;
  readonly countedAt: string | null;
}

/** What operators see of the installation as a whole. */
export interface Installation {
  health(): Promise<HealthView>;
  /** With what each sealed, by the last hourly count. */
  keys(): Promise<readonly ShownKey[]>;
}

interface Parts {
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
  ...parts
}: Parts): Installation => {
  const askAccounts = async (): Promise<ServiceHealth> => {
    const found = await Promise.all(checks.map(async (one) => ({ ...one, isUp: await inTime(one) })));
    const named = (isUp: boolean) => found.filter((one) => one.isUp === isUp).map(({ name }) => name);
    const down = named(false);
    return { service: 'drop-accounts', status: down.length === 0 ? 'ok' : 'degraded', down, up: named(true) };
  };
  const askServices = async (): Promise<readonly ServiceHealth[]> => {
    const found = await Promise.all([askAccounts(), askMetadata()]);
    return found.filter((one) => one !== null);
  };

  return {
    health: makeShowHealth({ ...parts, askServices }),
    keys: async () => {
      const [lines, counted] = await Promise.all([listKeys(), accounts.operate.sealedKeys()]);
      const shown: readonly CountedKey[] =
        counted === undefined ? lines : withSealed(lines, new Map(counted.counts), counted.current);
      const countedAt = counted === undefined ? null : new Date(counted.countedAt).toISOString();
      return shown.map(({ sealed, ...line }) => ({ ...line, sealed: sealed ?? null, countedAt }));
    },
  };
};
