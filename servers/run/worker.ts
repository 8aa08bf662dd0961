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

/** A worker as the primary sees it. */
export interface WorkerProcess<Urls> {
  /** Its addresses once it serves. Rejects with `WorkerGone` if it ends before that. */
  readonly ready: Promise<Urls>;
  /** Resolves when it has ended and all its output has been read. */
  readonly gone: Promise<Gone>;
  /** Tells it to finish open requests, accept no new ones, and end. Kills it after `DRAINED_WITHIN`. */
  drain(): void;
}

/** Milliseconds: 25 s for open requests, and a little for background work. */
const DRAINED_WITHIN = 30_000;

/** Passes on whole lines, so that lines of several workers never mix. A line that a crash cut off is dropped. */
export const readLines = (from: Readable, pass: (lines: string) => void): void => {
  let begun = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) pass(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  });
};

/** Follows a worker that was just forked with a pipe for its output. `pass` gets the lines of the pipe. */
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
    // A worker that could not be forked, such as for lack of memory, emits no `close`.
    worker.on('error', () => child.pid === undefined && leave(1, 'not started'));
  });
  // An error of sending means that the worker is gone, which `gone` reports.
  const order = (text: Order) => worker.send(text, () => undefined);
  const ready = new Promise<Urls>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if ('ready' in report) {
        resolve(report.ready);
        // A message that arrives while the worker still loads its program is lost, so it is sent again.
        if (hung !== undefined) order('drain');
      } else if ('failed' in report) failure = report.failed;
      // Connections that were handed to it in the meantime precede this in its queue: it refuses them, and another worker gets
      // them.
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
