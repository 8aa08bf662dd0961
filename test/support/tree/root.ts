import { fileURLToPath } from 'node:url';

/** The folder of package.json, relative to dist/test/support/tree. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));
