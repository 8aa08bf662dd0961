import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LogFields } from '../../../core/ports.ts';
import { storeUnavailable } from '../../calls/store-calls.ts';
import type { Outcome, Unit } from '../../sql/database.ts';
import type { BatchAnswer, UnitAnswer } from './batch.ts';
import { failureWord } from './failures.ts';

/** A batch is so small that other processes get the lock in between. */
const MOST_IN_BATCH = 256;
const MOST_WAITING = 10_000;

/** Which file is written, and whether durably. */
export interface WriterFile {
  readonly file: string;
  readonly durable: boolean;
  /** Milliseconds from a write until the write-ahead log is emptied; tests shorten it. */
  readonly emptyAfter?: number;
}

/** Reports a failure. */
export type Report = (event: 'read_failed' | 'write_failed' | 'writer_crashed', fields: LogFields) => void;

/** Since the start: how many batches were committed, and how many units they held. */
export interface WriteCounts {
  readonly commits: number;
  readonly units: number;
}

export interface Writer {
  write(unit: Unit): Promise<Outcome>;
  /** Whether the last batch that changed something failed. */
  isFailing(): boolean;
  counts(): WriteCounts;
  close(): Promise<void>;
}

interface QueuedUnit {
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
  const queue: QueuedUnit[] = [];
  let inFlight: readonly QueuedUnit[] = [];
  let worker: Worker | undefined;
  let onIdle: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  let commits = 0;
  let units = 0;
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
    const landed = inFlight;
    inFlight = [];
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
      for (const [place, unitAnswer] of answer.answers.entries()) landed[place]?.answer(unitAnswer);
    }
    send();
  };

  const send = () => {
    if (inFlight.length > 0) return;
    inFlight = queue.splice(0, MOST_IN_BATCH);
    if (inFlight.length === 0) {
      worker?.unref();
      onIdle?.();
      return;
    }
    worker ??= start();
    worker.ref();
    worker.postMessage(inFlight.map(({ unit }) => unit));
  };

  const finish = async () => {
    if (inFlight.length > 0 || queue.length > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
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
        const answer = (unitAnswer: UnitAnswer) =>
          'broken' in unitAnswer
            ? reject(new Error(`A write to the store is wrong: ${unitAnswer.broken}.`))
            : resolve(unitAnswer);
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
