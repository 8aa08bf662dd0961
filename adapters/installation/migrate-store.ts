import type { Config } from '../config/config-types.ts';
import { openDatabase, storeFile } from '../sqlite/database.ts';
import { schemaOf } from '../sqlite/snapshot.ts';
import type { MigrationReport } from '../store.ts';
import { requireStore } from './require-existing-store.ts';

/** Upgrades the store's schema, beside running servers. Throws `NoStoreHere`, `StoreUnusable`, `ConfigError`. */
export const migrateStore = async (config: Config): Promise<MigrationReport> => {
  if (config.mongodbUrl !== null) {
    const { migrateMongoStore } = await import('../mongodb/open-store.ts');
    return migrateMongoStore(config.mongodbUrl);
  }
  if (config.postgresUrl !== null) {
    const { migratePostgresStore } = await import('../postgresql/open-store.ts');
    return migratePostgresStore(config.postgresUrl);
  }
  requireStore(config);
  const file = storeFile(config.dataDir);
  const before = schemaOf(file).version;
  // Opening upgrades the schema.
  await openDatabase({ folder: config.dataDir }).close();
  return { before, now: schemaOf(file).version };
};
