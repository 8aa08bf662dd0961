import { makeLimiter } from '../../../../adapters/sqlite/limits/limiter.ts';
import { serveParent } from './limiter-child.ts';

const [folder = '', now = '0'] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
serveParent(makeLimiter({ folder, clock: { now: () => Number(now) }, log }));
