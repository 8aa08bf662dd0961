import { createRequire } from 'node:module';
import type { DependencyContainer } from 'tsyringe';

// By `require`: to import a package of CommonJS files, Node.js reads each of them twice, once for the names it exports.
// The container has more than forty.
const require = createRequire(import.meta.url);

/** A container that knows nothing yet. */
export const makeContainer = (): DependencyContainer => {
  require('reflect-metadata/lite');
  const { container } = require('tsyringe') as typeof import('tsyringe');
  return container.createChildContainer();
};
