import { join } from 'node:path';

/** Where the tests keep programs and packages, and what takes long to make, between runs. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'gatehouse-tests');
