import { createRequire } from 'node:module';
import type Libsql from 'libsql';

let driver: typeof Libsql | undefined;

/** The driver, loaded at the first call. */
export const sqlite = (): typeof Libsql => {
  if (driver !== undefined) return driver;
  // `require` is faster than `import`, for which Node.js reads a CommonJS file twice: once for its exported names.
  const require = createRequire(import.meta.url);
  driver = require('libsql') as typeof Libsql;
  return driver;
};
