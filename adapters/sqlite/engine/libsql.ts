import { createRequire } from 'node:module';
import type Libsql from 'libsql';

// `require` is faster than `import` here: Node.js reads each CommonJS file twice to import it, once for its exported names.
const require = createRequire(import.meta.url);

/** The driver. */
export const Sqlite = require('libsql') as typeof Libsql;
