/** Tools of the command line, apart from the composition, so that servers need not load them. */
export { backupStore } from './backup.ts';
export { NoStoreHere, requireKeys, requireStore } from './existing-store.ts';
export { openKeyFiles } from './keys.ts';
export { migrateStore } from './migration.ts';
export { restoreStore } from './restore.ts';
export { exportInstallation, importInstallation } from './transfer/transfer-installation.ts';
