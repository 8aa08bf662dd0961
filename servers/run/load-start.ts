import { existsSync } from 'node:fs';

/** The build's bundle of `start-and-end-services.ts` with the modules that it imports. The published package has no bundle. */
const joined = new URL('start-and-end-services-joined.js', import.meta.url);

export const loadStart = async (): Promise<typeof import('./start-and-end-services.ts')> => {
  // First, since an old Node.js cannot load the other modules: this ends the process with one line.
  // @ts-expect-error: the path begins in `dist/`.
  await import('../../../cli/node-version.mjs');
  if (!existsSync(joined)) return import('./start-and-end-services.ts');
  // @ts-expect-error: the build makes the bundle after the types are checked.
  return import('./start-and-end-services-joined.js');
};
