import type { Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import { exitCodes } from '../../adapters/exit-codes.ts';
import type { Failure } from './failure.ts';
import type { Order, Report } from './run-services.ts';

/** How a worker ended. */
export interface Gone {
  readonly code: number;
  /** For the log: its exit code or the signal. */
  readonly reason: string;
  /** Set when it could not start and said why. */
  readonly failure?: Failure;
}

export class WorkerGone extends Error {
  readonly gone: Gone;

  constructor(gone: Gone) {
    super(`A worker ended before it served: ${gone.reason}`);
    this.name = 'WorkerGone';
    this.gone = gone;
  }
}

/** A worker as seen by the process that leads it. */
export interface WorkerProcess<Urls> {
  /** Where it listens. Rejects with `WorkerGone` when it ends before it does. */
  readonly ready: Promise<Urls>;
  /** Its end, when all that it wrote has been read. */
  readonly gone: Promise<Gone>;
  /** Has it answer what it has, take nothing new, and end. It is killed when that lasts longer than it may. */
  drain(): void;
}

/** Milliseconds: what is being answered has 25 s, what is being done besides a little more. */
const DRAINED_WITHIN = 30_000;

/** Hands on whole lines, as many at once as there are, so that those of several workers never mix. What a crash cut off is no line. */
export const readLines = (from: Readable, pass: (lines: string) => void): void => {
  let begun = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) pass(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  });
};

/** Follows a worker that was just forked with a pipe for its output; `pass` gets the lines of that. */
export const followWorker = (worker: Worker, pass: (line: string) => void): WorkerProcess<Urls> => {
  const { process: child } = worker;
  if (child.stdout !== null) readLines(child.stdout, pass);
  let failure: Failure | undefined;
  let hung: NodeJS.Timeout | undefined;

  const gone = new Promise<Gone>((resolve) => {
    const leave = (code: number | null, reason: string) => {
      clearTimeout(hung);
      resolve({ code: code ?? exitCodes.failed, reason, ...(failure === undefined ? {} : { failure }) });
    };
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) =>
      leave(code, signal ?? `exit code ${code}`),
    );
    // Such as for want of memory; then nothing is closed, since nothing was begun.
    worker.on('error', () => child.pid === undefined && leave(1, 'not started'));
  });
  // To one that is gone nothing is said: its end is told by `gone`.
  const order = (text: Order) => worker.send(text, () => undefined);
  const ready = new Promise<Urls>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if ('ready' in report) {
        resolve(report.ready);
        // What it was told while its program was still being loaded is lost.
        if (hung !== undefined) order('drain');
      } else if ('failed' in report) failure = report.failed;
      // What was handed to it meanwhile stands before this in its queue: it refuses that, and another worker gets it.
      else if ('drained' in report) order('end');
    });
    gone.then((how) => reject(new WorkerGone(how)));
  });
  ready.catch(() => undefined);

  return {
    ready,
    gone,
    drain: () => {
      hung ??= setTimeout(() => child.kill('SIGKILL'), DRAINED_WITHIN);
      order('drain');
    },
  };
};

type Urls = Extract<Report, { ready: unknown }>['ready'];
