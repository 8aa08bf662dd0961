import { existsSync } from 'node:fs';

/** What the build joins of `start.ts` and all modules behind it. A package leaves it out: it holds the modules. */
const joined = new URL('start-joined.js', import.meta.url);

export const loadStart = (): Promise<typeof import('./start.ts')> =>
  existsSync(joined) ? import(joined.href) : import('./start.ts');
