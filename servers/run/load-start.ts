import { existsSync } from 'node:fs';

/** The build's bundle of `start-and-end-services.ts` with the modules that it imports. The published package has no bundle. */
const joined = new URL('start-and-end-services-joined.js', import.meta.url);

export const loadStart = (): Promise<typeof import('./start-and-end-services.ts')> =>
  // @ts-expect-error: the build makes the bundle after the types are checked.
  existsSync(joined) ? import('./start-and-end-services-joined.js') : import('./start-and-end-services.ts');
