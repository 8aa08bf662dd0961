import { existsSync } from 'node:fs';

/** What the build joins of `start.ts` and all modules behind it. A package leaves it out: it holds the modules. */
const joined = new URL('start-joined.js', import.meta.url);

export const loadStart = (): Promise<typeof import('./start.ts')> =>
  // @ts-expect-error: it is made after the types are checked.
  existsSync(joined) ? import('./start-joined.js') : import('./start.ts');
