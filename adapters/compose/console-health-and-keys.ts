import type { Accounts, HealthCheck, HealthView, Log } from '../../core/index.ts';
import { makeShowHealth, type ServiceHealth } from '../../core/installation-health.ts';
import { isoTime } from '../../core/iso-times.ts';
import { type CountedKey, type KeyLine, type ShownKey, withSealed } from '../../core/key-status.ts';
import type { AskMetadata } from './metadata-health.ts';

/** The state of the installation as operators see it. */
export interface Installation {
  health(): Promise<HealthView>;
  /** The keys with the number of values that each sealed, by the last hourly count; null before the first. */
  keys(): Promise<readonly ShownKey[]>;
}

interface InstallationDeps extends Omit<Parameters<typeof makeShowHealth>[0], 'askServices'> {
  readonly accounts: Accounts;
  readonly checks: readonly HealthCheck[];
  readonly askMetadata: AskMetadata;
  /** The keys in the key files that the settings name. */
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
    const results = await Promise.all(checks.map(async ({ name, check }) => ({ name, isUp: await check() })));
    const namesOf = (isUp: boolean) =>
      results.filter((result) => result.isUp === isUp).map(({ name }) => name);
    const down = namesOf(false);
    return {
      // The name in the health response of the service itself.
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
      const countedAt = sealedCounts === undefined ? null : isoTime(sealedCounts.countedAt);
      return keys.map(({ sealed, ...line }) => ({ ...line, sealed: sealed ?? null, countedAt }));
    },
  };
};

/**
 * Logs an error for each master key that sealed values, by the last hourly count, and is not in the key file: probably the file
 * of another installation is in its place, and records would look as if their keys were wrong.
 */
export const reportUnknownKeys = async ({ keys }: Pick<Installation, 'keys'>, log: Log): Promise<void> => {
  for (const { id, state, sealed } of await keys()) {
    if (state === 'unknown' && sealed !== null && sealed > 0)
      log.error('master_key.unknown', { id, count: sealed });
  }
};
