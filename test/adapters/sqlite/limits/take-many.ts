import { makeLimiter } from '../../../../adapters/sqlite/limits/limiter.ts';
import type { Bucket } from '../../../../core/ports.ts';
import { unawaited } from '../../../support/unawaited.ts';

/** What the parent asks of this process. */
export interface TakeMany {
  readonly bucket: Bucket;
  readonly key: string;
  readonly calls: number;
}

const [folder = '', now = '0'] = process.argv.slice(2);
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const limiter = makeLimiter({ folder, clock: { now: () => Number(now) }, log: quiet });

process.on(
  'message',
  unawaited(async (message) => {
    const { bucket, key, calls } = message as TakeMany;
    const answers = await Promise.all(Array.from({ length: calls }, () => limiter.take(bucket, key)));
    process.send?.(answers.filter((answer) => answer.allowed).length);
  }),
);
process.once('disconnect', () => limiter.close());
process.send?.('ready');
