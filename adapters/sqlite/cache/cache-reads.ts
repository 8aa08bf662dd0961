import type { FileCache } from '../../../core/files/ports.ts';
import type { Clock } from '../../../core/ports.ts';
import { plainText, whole } from '../engine/statements.ts';
import { FIND_ALL } from './cache-schema.ts';
import type { SharedCache } from './shared-cache.ts';

/** The most reads that one query answers: a longer query would delay other requests. */
const MOST = 64;

interface Asked {
  readonly id: string;
  readonly epoch: number;
  readonly found: (entry: string | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Batches reads of the cache: one query at the end of an event-loop turn answers all reads of that turn. Sixty single
 * queries cost four times as much, since each takes locks and goes through the driver.
 */
export const makeCacheReads = (cache: Pick<SharedCache, 'all'>, clock: Clock): FileCache['get'] => {
  let waiting: Asked[] = [];

  const query = (asked: readonly Asked[], epoch: number) => {
    const ids = JSON.stringify(asked.map(({ id }) => id));
    const rows = cache.all(FIND_ALL, [ids, epoch, clock.now()]);
    return new Map(rows.map(({ id, entry }) => [id, String(entry)]));
  };

  const answerThose = (asked: readonly Asked[], epoch: number) => {
    try {
      const entries = query(asked, epoch);
      for (const { id, found } of asked) found(entries.get(id));
    } catch (error) {
      for (const { failed } of asked) failed(error);
    }
  };

  const answer = () => {
    const asked = waiting;
    waiting = [];
    // Nearly always a single epoch: it hardly ever changes.
    for (const epoch of new Set(asked.map((one) => one.epoch))) {
      answerThose(
        asked.filter((one) => one.epoch === epoch),
        epoch,
      );
    }
  };

  return (given, epoch) =>
    new Promise((found, failed) => {
      waiting.push({ id: plainText(given), epoch: whole(epoch), found, failed });
      if (waiting.length === 1) setImmediate(answer);
      if (waiting.length === MOST) answer();
    });
};
