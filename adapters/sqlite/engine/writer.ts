import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogFields } from '../../../core/ports.ts';
import type { BatchAnswer, UnitAnswer } from './batch.ts';
import { failureWord, storeUnavailable } from './failures.ts';
import type { Outcome, Unit, WriteCounts } from './statements.ts';

/** Small enough that other processes get the lock in between. */
const MOST_IN_BATCH = 256;
const MOST_WAITING = 10_000;

/** Which file is written, and whether durably. */
export interface WriterFile {
  readonly file: string;
  readonly durable: boolean;
  /** Milliseconds from a write until the write-ahead log is emptied; tests shorten it. */
  readonly emptyAfter?: number;
}

/** Tells what went wrong. */
export type Report = (event: 'read_failed' | 'write_failed' | 'writer_crashed', fields: LogFields) => void;

export interface Writer {
  write(unit: Unit): Promise<Outcome>;
  /** Whether the last batch that changed something failed. */
  isFailing(): boolean;
  counts(): WriteCounts;
  close(): Promise<void>;
}

interface Waiting {
  readonly unit: Unit;
  readonly answer: (answer: UnitAnswer) => void;
  readonly fail: () => void;
}

const hasChanged = (answer: UnitAnswer): boolean =>
  'done' in answer && answer.done && answer.results.some(({ changes }) => changes > 0);

/**
 * Group commit in a worker thread, so that waiting for the disk does not block the event loop. Writes that arrive while a
 * batch runs form the next batch and share one commit. The thread starts with the first write, and again after a crash.
 */
export const makeWriter = (workerData: WriterFile, report: Report): Writer => {
  const queue: Waiting[] = [];
  let flight: readonly Waiting[] = [];
  let worker: Worker | undefined;
  let rest: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  let [commits, units] = [0, 0];
  let failing = false;

  const start = (): Worker => {
    const started = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData });
    started.on('message', (answer: BatchAnswer) => land(answer));
    started.on('error', (error) => report('writer_crashed', { reason: failureWord(error), error }));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      land({ failure: 'exit' });
    });
    return started;
  };

  const land = (answer: BatchAnswer) => {
    const landed = flight;
    flight = [];
    if ('failure' in answer) {
      if (landed.length > 0) {
        failing = true;
        report('write_failed', { reason: answer.failure, count: landed.length });
      }
      for (const waiting of landed) waiting.fail();
    } else {
      commits += 1;
      units += landed.length;
      if (answer.answers.some(hasChanged)) failing = false;
      for (const [place, one] of answer.answers.entries()) landed[place]?.answer(one);
    }
    send();
  };

  const send = () => {
    if (flight.length > 0) return;
    flight = queue.splice(0, MOST_IN_BATCH);
    if (flight.length === 0) {
      worker?.unref();
      rest?.();
      return;
    }
    worker ??= start();
    worker.ref();
    worker.postMessage(flight.map(({ unit }) => unit));
  };

  const finish = async () => {
    if (flight.length > 0 || queue.length > 0) {
      await new Promise<void>((resolve) => {
        rest = resolve;
      });
    }
    if (worker === undefined) return;
    worker.ref();
    worker.postMessage('close');
    await once(worker, 'exit');
  };

  return {
    write: (unit) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(storeUnavailable());
        if (closing !== undefined || queue.length >= MOST_WAITING) return fail();
        const answer = (given: UnitAnswer) =>
          'broken' in given
            ? reject(new Error(`A write to the store is wrong: ${given.broken}.`))
            : resolve(given);
        queue.push({ unit, answer, fail });
        if (queue.length === 1) queueMicrotask(send);
      }),
    isFailing: () => failing,
    counts: () => ({ commits, units }),
    close: () => {
      closing ??= finish();
      return closing;
    },
  };
};
