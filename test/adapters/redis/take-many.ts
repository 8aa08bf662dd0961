import { openRedisLimiter } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { PATIENT } from '../../support/servers/redis-server.ts';
import { unawaited } from '../../support/unawaited.ts';
import { until } from '../../support/until.ts';
import type { TakeMany } from '../sqlite/limits/take-many.ts';

const [url = '', prefix = '', now = '0'] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const clock = { now: () => Number(now) };
const limiter = openRedisLimiter({ url, prefix, log, clock, fallback: makeMemoryLimiter(clock), ...PATIENT });

process.on(
  'message',
  unawaited(async (message) => {
    const { bucket, key, calls } = message as TakeMany;
    const answers = await Promise.all(Array.from({ length: calls }, () => limiter.take(bucket, key)));
    process.send?.(answers.filter((answer) => answer.allowed).length);
  }),
);
process.once('disconnect', unawaited(limiter.close));
// On a busy machine the first attempt may fail, and each process would count by itself.
await until(limiter.isUp);
process.send?.('ready');
