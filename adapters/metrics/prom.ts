import { createRequire } from 'node:module';

// By `require`, as the other packages of many CommonJS files: an import would read each of them twice.
const require = createRequire(import.meta.url);

export type Prom = typeof import('prom-client');

/** The package, loaded when it is first asked for: most starts serve no metrics. */
export const loadProm = (): Prom => require('prom-client');
