import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { batched } from '../../../core/batched-calls.ts';
import type { LogFields } from '../../../core/ports.ts';
import { storeUnavailable } from '../../calls/store-calls.ts';
import { hasChanged, type Outcome, type Unit } from '../../sql/database.ts';
import { type BatchAnswer, outcomeOf, type UnitAnswer } from './batch.ts';
import { failureWord } from './failures.ts';

/** Units in a batch: so few that other processes get the lock in between. */
const MOST_IN_BATCH = 256;
/** SQLite's word for a moved file. SQLite itself reports it only for files without a write-ahead log. */
const MOVED = 'SQLITE_READONLY_DBMOVED';
/** Units that wait or are being written. Further writes are refused. */
const MOST_UNDER_WAY = 10_000;

/** Which file is written, and whether durably. */
export interface WriterFile {
  readonly file: string;
  readonly durable: boolean;
  /** Milliseconds from a write until the write-ahead log is emptied; tests shorten it. */
  readonly emptyAfter?: number;
}

export type Report = (event: 'read_failed' | 'write_failed' | 'writer_crashed', fields: LogFields) => void;

/** Since the start: how many batches were committed, and how many units they held. */
export interface WriteCounts {
  readonly commits: number;
  readonly units: number;
}

export type Writer = ReturnType<typeof makeWriter>;

/**
 * Group commit in a worker thread, so that waiting for the disk does not block the event loop. Writes that arrive while a
 * batch runs form the next batch and share one commit. The thread starts with the first write, and again after a crash.
 * While `isMoved` is true all writes fail: the next start would not find them.
 */
export const makeWriter = (workerData: WriterFile, report: Report, isMoved = () => false) => {
  const underWay = new Set<Promise<UnitAnswer>>();
  let worker: Worker | undefined;
  let resolveBatch: (answer: BatchAnswer) => void = () => undefined;
  let closing: Promise<void> | undefined;
  let commits = 0;
  let units = 0;
  let failing = false;

  const start = (): Worker => {
    const started = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData });
    started.on('message', (answer: BatchAnswer) => resolveBatch(answer));
    started.on('error', (error) => report('writer_crashed', { reason: failureWord(error), error }));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      resolveBatch({ failure: 'exit' });
    });
    return started;
  };

  const run = async (batch: readonly Unit[]): Promise<BatchAnswer> => {
    if (isMoved()) return { failure: MOVED };
    worker ??= start();
    worker.ref();
    worker.postMessage(batch);
    const answer = await new Promise<BatchAnswer>((resolve) => {
      resolveBatch = resolve;
    });
    worker?.unref();
    // The file may have been moved while the batch was written.
    return isMoved() ? { failure: MOVED } : answer;
  };

  const commit = batched(async (batch: readonly Unit[]) => {
    const answer = await run(batch);
    if ('failure' in answer) {
      failing = true;
      report('write_failed', { reason: answer.failure, count: batch.length });
      throw storeUnavailable();
    }
    commits += 1;
    units += batch.length;
    if (answer.answers.some((unit) => 'done' in unit && hasChanged(unit))) failing = false;
    return answer.answers;
  }, MOST_IN_BATCH);

  const finish = async () => {
    await Promise.allSettled(underWay);
    if (worker === undefined) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  };

  return {
    write: async (unit: Unit): Promise<Outcome> => {
      if (closing !== undefined || underWay.size >= MOST_UNDER_WAY) throw storeUnavailable();
      const answer = commit(unit);
      underWay.add(answer);
      return outcomeOf(await answer.finally(() => underWay.delete(answer)));
    },
    /** Whether a write failed and no later write changed anything. A write that changes nothing succeeds on a full disk, too. */
    isFailing: () => failing,
    counts: (): WriteCounts => ({ commits, units }),
    close: (): Promise<void> => {
      closing ??= finish();
      return closing;
    },
  };
};
