/** Names of earlier releases, kept until 1.0: `package.json` maps their paths to this file. */
export {
  makeSqlAttemptsStore as makeSqliteAttemptsStore,
  makeSqlAttemptsStore as makeSqliteTriesStore,
} from '../sql/attempts-store.ts';
export {
  makeSqlCacheGeneration as makeSqliteCacheEpoch,
  makeSqlCacheGeneration as makeSqliteCacheGeneration,
} from '../sql/cache-generation.ts';
export { makeSqlFileActivity as makeSqliteFileActivity } from '../sql/file-activity.ts';
export { makeSqlFileStore as makeSqliteFileStore } from '../sql/file-store.ts';
export { makeSqlSealedFiles as makeSqliteSealedFiles } from '../sql/sealed-files.ts';
