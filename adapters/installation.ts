/** Work of the command line on a whole installation, apart from the composition, so that servers need not load it. */
export { backupStore } from './installation/backup.ts';
export { openKeyFiles } from './installation/key-files.ts';
export { migrateStore } from './installation/migrate-store.ts';
export { NoStoreHere, requireKeys, requireStore } from './installation/require-existing-store.ts';
export { restoreStore } from './installation/restore.ts';
export { exportInstallation, importInstallation } from './installation/transfer/transfer-installation.ts';
