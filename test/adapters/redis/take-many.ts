import { openRedisLimiter } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { GENEROUS_DEADLINE } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import { serveParent } from '../sqlite/limits/limiter-child.ts';

const [url = '', prefix = '', now = '0'] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const clock = { now: () => Number(now) };
const limiter = openRedisLimiter({
  url,
  prefix,
  log,
  clock,
  fallback: makeMemoryLimiter(clock),
  ...GENEROUS_DEADLINE,
});

// On a busy machine the first attempt may fail, and each process would count by itself.
await until(limiter.isUp);
serveParent(limiter);
