/** What the command line works with beside the composition; apart from it, so that servers need not load it. */
export { backupStore } from './backup.ts';
export { NoStoreHere, requireKeys, requireStore } from './existing-store.ts';
export { openKeyFiles } from './keys.ts';
export { migrateStore } from './migrate.ts';
export { exportInstallation, importInstallation } from './move/tools.ts';
export { restoreStore } from './restore.ts';
