import { createRequire } from 'node:module';
import type Libsql from 'libsql';

// `require` is faster: to import a CommonJS file Node.js reads it twice, once for its exported names.
let driver: typeof Libsql | undefined;

/** The driver, loaded at the first call. */
export const sqlite = (): typeof Libsql => {
  if (driver !== undefined) return driver;
  const require = createRequire(import.meta.url);
  driver = require('libsql') as typeof Libsql;
  return driver;
};
