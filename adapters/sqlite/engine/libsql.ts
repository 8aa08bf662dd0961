import { createRequire } from 'node:module';
import type Libsql from 'libsql';

// By `require`: Node.js reads each CommonJS file twice to import it, once for its exported names.
let driver: typeof Libsql | undefined;

/** The driver, loaded when it is first asked for. */
export const sqlite = (): typeof Libsql => {
  if (driver !== undefined) return driver;
  const require = createRequire(import.meta.url);
  driver = require('libsql') as typeof Libsql;
  return driver;
};
