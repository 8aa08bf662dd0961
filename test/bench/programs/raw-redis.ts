/** A program: sets keys in Redis, a page at a time. Answers with the elapsed milliseconds. */
import { createClient } from 'redis';
import { unawaited } from '../../support/unawaited.ts';
import type { RedisJob } from '../raw.ts';

const PAGE = 500;
const LIFE = 86_400;

process.once(
  'message',
  unawaited(async ({ url, count, bytes }: RedisJob) => {
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const value = 'x'.repeat(bytes);
    const startedAt = performance.now();
    for (let first = 0; first < count; first += PAGE) {
      const size = Math.min(PAGE, count - first);
      const page = Array.from({ length: size }, (_, index) => String(first + index).padStart(36, '0'));
      await Promise.all(page.map((id) => client.set(`meta:${id}`, value, { EX: LIFE })));
    }
    const took = performance.now() - startedAt;
    client.destroy();
    process.send?.({ took });
  }),
);
