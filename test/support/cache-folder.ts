import { join } from 'node:path';

/** The folder of programs, packages and costly files that runs of the tests share. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'gatehouse-tests');
