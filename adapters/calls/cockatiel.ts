import { createRequire } from 'node:module';

/** Loads cockatiel, when the first service is made that is called over the network: many installations have none. */
export const loadCockatiel = () => {
  const require = createRequire(import.meta.url);
  return require('cockatiel') as typeof import('cockatiel');
};
