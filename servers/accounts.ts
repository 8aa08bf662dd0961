import { createRequire } from 'node:module';

// By `require`, which reads the many modules of a start one after the other at once: a tenth less time than `import`.
const { startServices } = createRequire(import.meta.url)('./start.js') as typeof import('./start.ts');

await startServices(['accounts']);
