import { createRequire } from 'node:module';
import type Libsql from 'libsql';

// By `require`: to import a package of CommonJS files, Node.js reads each of them twice, once for the names it exports.
const require = createRequire(import.meta.url);

/** The driver. */
export const Sqlite = require('libsql') as typeof Libsql;
