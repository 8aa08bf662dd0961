import type { Clock, Log } from '../../../core/index.ts';
import type { Config } from '../../config/types.ts';
import { version } from '../../version.ts';
import { makeDataDir } from '../data-dir.ts';
import { requireInstallation, requireStore } from '../existing-store.ts';
import { findStore, type OpenedStore } from '../store.ts';
import { type ExportReport, exportStore, type OnProgress } from './export-store.ts';
import { type ImportReport, importStore } from './import-store.ts';

interface Tools {
  readonly clock: Clock;
  readonly log: Log;
}

/** What seals and signs what an installation keeps, by the settings that name it. */
const keysOf = ({ hashKeys, signingKeys, kms }: Config): readonly string[] => [
  'madeIn' in hashKeys ? `HASH_KEY: ${hashKeys.madeIn}` : 'HASH_KEY',
  `SIGNING_KEYS_FILE: ${signingKeys.path}`,
  kms.kind === 'local' ? `MASTER_KEYS_FILE: ${kms.keys.path}` : `KMS: ${kms.kind}`,
];

const withStore = async <T>(
  config: Config,
  tools: Tools,
  onlyExisting: boolean,
  work: (store: OpenedStore) => Promise<T>,
): Promise<T> => {
  const place = await findStore(config, tools);
  try {
    if (onlyExisting) requireInstallation(config, place.isThere);
    return await work(await place.open());
  } finally {
    await place.close();
  }
};

/** Writes the whole installation into a file. Throws what `exportStore` does, `NoStoreHere`, `ConfigError`. */
export const exportInstallation = (
  config: Config,
  tools: Tools,
  file: string,
  onProgress: OnProgress,
): Promise<ExportReport> => {
  requireStore(config);
  return withStore(config, tools, true, async ({ movable }) => {
    const store = movable();
    const [first] = await store.sections.audit.read(null, 1);
    const now = tools.clock.now();
    const heading = {
      product: 'gatehouse',
      format: 1,
      version,
      madeAt: new Date(now).toISOString(),
      origin: first?.record.value ?? null,
      keysNeeded: keysOf(config),
    } as const;
    return exportStore({ store, file, heading, now, onProgress });
  });
};

/** Takes one over into an empty store, which is made where there is none. Throws what `importStore` does, `ConfigError`. */
export const importInstallation = (
  config: Config,
  tools: Tools,
  file: string,
  onProgress: (share: number) => void,
): Promise<ImportReport> => {
  makeDataDir(config.dataDir);
  return withStore(config, tools, false, ({ movable }) =>
    importStore({ store: movable(), file, onProgress }),
  );
};
