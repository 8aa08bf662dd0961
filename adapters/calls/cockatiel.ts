import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads cockatiel, when the first service is made that is called over the network: many installations have none. */
export const loadCockatiel = () => require('cockatiel') as typeof import('cockatiel');
