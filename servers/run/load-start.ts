import { existsSync } from 'node:fs';

/** The build's bundle of `start-and-end-services.ts` and its modules. Packages leave it out and load the modules. */
const joined = new URL('start-and-end-services-joined.js', import.meta.url);

export const loadStart = (): Promise<typeof import('./start-and-end-services.ts')> =>
  // @ts-expect-error: it is made after the types are checked.
  existsSync(joined) ? import('./start-and-end-services-joined.js') : import('./start-and-end-services.ts');
