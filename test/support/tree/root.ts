import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, seen from dist/test/support/tree. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));
