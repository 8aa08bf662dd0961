import { existsSync } from 'node:fs';

/** The build's bundle of `start.ts` and its modules. Packages leave it out and load the modules. */
const joined = new URL('start-joined.js', import.meta.url);

export const loadStart = (): Promise<typeof import('./start.ts')> =>
  // @ts-expect-error: it is made after the types are checked.
  existsSync(joined) ? import('./start-joined.js') : import('./start.ts');
