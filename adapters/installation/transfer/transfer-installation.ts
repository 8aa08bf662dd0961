import { resolve } from 'node:path';
import type { Clock, Log } from '../../../core/index.ts';
import { sandboxFolder } from '../../billing/sandbox-customers.ts';
import { findStore, openForWork } from '../../choose-store.ts';
import type { Config } from '../../config/config-types.ts';
import { makeDataDir } from '../../data-dir.ts';
import { quietLog } from '../../log/quiet-log.ts';
import type { UnopenedStore } from '../../store.ts';
import { version } from '../../version.ts';
import { storeAtWork } from '../installation-error.ts';
import { requireOwnFolder, requireRemoteStore, requireStore } from '../require-existing-store.ts';
import { checkExport } from './check-export.ts';
import { FORMAT, type Heading } from './export-format.ts';
import { type ExportReport, exportStore, type OnProgress } from './export-store.ts';
import { type ImportReport, importStore, takeStore } from './import-store.ts';

interface Tools {
  readonly clock: Clock;
  readonly log: Log;
}

/** The keys that encrypt and sign an installation's data, by their settings, and the customers of the billing sandbox. */
const keysOf = ({
  hashKeys,
  secretSources,
  signingKeys,
  kms,
  billing,
  dataDir,
}: Config): readonly string[] => {
  const hashKeyFile = 'madeIn' in hashKeys ? hashKeys.madeIn : secretSources.HASH_KEY;
  return [
    hashKeyFile ? `HASH_KEY: ${hashKeyFile}` : 'HASH_KEY',
    `SIGNING_KEYS_FILE: ${signingKeys.path}`,
    kms.kind === 'local' ? `MASTER_KEYS_FILE: ${kms.keys.path}` : `KMS: ${kms.kind}`,
    ...(billing.provider === 'sandbox' ? [`BILLING=sandbox: ${sandboxFolder(dataDir)}`] : []),
  ];
};

const withStore = async <T>(
  config: Config,
  tools: Tools,
  work: (unopened: UnopenedStore) => Promise<T>,
): Promise<T> => {
  const unopened = await findStore(config, { ...tools, log: quietLog(tools.log), isServer: false });
  try {
    return await work(unopened);
  } finally {
    await unopened.close();
  }
};

/**
 * Writes the whole installation into a file. Throws what `exportStore` throws, `NoStoreHere`, `ConfigError`, and
 * `StoreUnusable`, also after an interrupted import or restore.
 */
export const exportInstallation = (
  config: Config,
  tools: Tools,
  file: string,
  onProgress: OnProgress,
): Promise<ExportReport> => {
  requireStore(config);
  return withStore(config, tools, async (unopened) => {
    requireRemoteStore(config, unopened.isThere);
    const store = (await openForWork(unopened)).transfer();
    // The value of the first audit row identifies the installation.
    const [firstAuditRow] = await store.sections.audit.read(null, 1);
    const now = tools.clock.now();
    const heading: Heading = {
      product: 'gatehouse',
      format: FORMAT,
      version,
      madeAt: new Date(now).toISOString(),
      origin: firstAuditRow?.record.value ?? null,
      state: await store.state(),
      keysNeeded: keysOf(config),
    };
    return exportStore({ store, file, heading, now, onProgress });
  });
};

/**
 * Checks the whole file, then imports it into an empty store, and creates a missing store. Throws what `checkExport` and
 * `importStore` throw, `StoreAtWork`, `NoStoreHere`, `ConfigError`, `StoreUnusable`.
 */
export const importInstallation = async (
  config: Config,
  tools: Tools,
  file: string,
  onProgress: (share: number) => void,
): Promise<ImportReport> => {
  const checked = await checkExport(resolve(file));
  requireOwnFolder(config);
  makeDataDir(config.dataDir);
  return withStore(config, tools, async (unopened) => {
    const { transfer, ports } = await unopened.open();
    const store = transfer();
    if (await store.isAtWork(tools.clock.now())) throw storeAtWork();
    const lease = await takeStore(ports.leases);
    try {
      return await importStore({ store, lease, checked, onProgress });
    } finally {
      await lease.release();
    }
  });
};
