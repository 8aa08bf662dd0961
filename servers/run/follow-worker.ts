import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import { exitCodes } from '../../adapters/exit-codes.ts';
import { answerPolls } from '../http/listen/poll-primary.ts';
import type { Failure } from './end-process.ts';
import type { Order, Report } from './worker-process.ts';

/** How a worker ended. */
export interface WorkerExit {
  readonly code: number;
  /** For the log: its exit code, the signal that ended it, or that it could not be forked. */
  readonly reason: string;
  /** Set when the worker reported why it failed. */
  readonly failure?: Failure;
}

export class WorkerEnded extends Error {
  readonly exit: WorkerExit;

  constructor(exit: WorkerExit) {
    super(`A worker ended before it served: ${exit.reason}`);
    this.name = 'WorkerEnded';
    this.exit = exit;
  }
}

export interface WorkerProcess<Urls> {
  /** Its addresses once it serves. Rejects with `WorkerEnded` if it ends before that. */
  readonly ready: Promise<Urls>;
  /** Resolves when it has ended and all its output has been read. */
  readonly exited: Promise<WorkerExit>;
  /**
   * Tells the worker to finish open requests, accept no new ones, and end. Kills it after `DRAIN_TIMEOUT_MS`. With `make_way`
   * other workers go on to serve, so that the service stays ready.
   */
  drain(order?: 'drain' | 'make_way'): void;
}

type Urls = Extract<Report, { readonly ready: unknown }>['ready'];

/** 25 s for open requests, and 5 s for background work. */
const DRAIN_TIMEOUT_MS = 30_000;

/** Passes on whole lines, so that lines of several workers never mix. A line that a crash cut off is dropped. */
export const readLines = (stream: Readable, pass: (lines: string) => void): void => {
  let partialLine = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) pass(partialLine + text.slice(0, end));
    partialLine = end > 0 ? text.slice(end) : partialLine + text;
  });
};

/** The members of messages between `node:cluster` in the primary and in a worker that matter here. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  /** The `seq` of the message that this one answers. */
  readonly ack?: number;
}

/**
 * Closes the connections that a worker was given and had not taken when it ended. Node.js forgets them, and their clients would
 * wait for an answer without end. This sees the messages of `node:cluster`, which Node.js does not document.
 */
const closeUntakenConnections = (child: ChildProcess): void => {
  const untaken = new Map<number, { close(): void }>();
  const { send } = child;
  child.send = (...args: readonly unknown[]): boolean => {
    const [{ act, seq }, connection] = args as readonly [ClusterMessage, { close(): void }?];
    if (act === 'newconn' && seq !== undefined && connection) untaken.set(seq, connection);
    return Reflect.apply(send, child, args);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => ack !== undefined && untaken.delete(ack));
  child.once('close', () => {
    for (const connection of untaken.values()) connection.close();
  });
};

/** Follows a worker that was just forked with a pipe for its output. `pass` gets the lines of the pipe. */
export const followWorker = (worker: Worker, pass: (lines: string) => void): WorkerProcess<Urls> => {
  const { process: child } = worker;
  closeUntakenConnections(child);
  answerPolls(worker);
  if (child.stdout !== null) readLines(child.stdout, pass);
  let failure: Failure | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  /** Set once the worker was told to drain. */
  let drainOrder: Order | undefined;

  const exited = new Promise<WorkerExit>((resolve) => {
    const settle = (code: number | null, reason: string) => {
      clearTimeout(killTimer);
      resolve({ code: code ?? exitCodes.failed, reason, ...(failure === undefined ? {} : { failure }) });
    };
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) =>
      settle(code, signal ?? `exit code ${code}`),
    );
    // A worker that could not be forked, such as for lack of memory, emits no `close`.
    worker.on('error', () => child.pid === undefined && settle(null, 'not started'));
  });
  // Sending fails when the worker has ended, which `exited` reports.
  const sendOrder = (order: Order) => worker.send(order, () => undefined);
  const ready = new Promise<Urls>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      if ('ready' in report) {
        resolve(report.ready);
        // An order that arrives while the worker still loads its program is lost, so it is sent again.
        if (drainOrder !== undefined) sendOrder(drainOrder);
      } else if ('failed' in report) failure = report.failed;
      // Connections that were given to the worker meanwhile reach it before `end`: it refuses them, and another worker gets them.
      else if ('drained' in report) sendOrder('end');
    });
    // `exited` never rejects.
    void exited.then((exit) => reject(new WorkerEnded(exit)));
  });
  // Avoids an unhandled rejection where nobody awaits `ready`.
  ready.catch(() => undefined);

  return {
    ready,
    exited,
    drain: (order = 'drain') => {
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), DRAIN_TIMEOUT_MS);
      drainOrder = order;
      sendOrder(order);
    },
  };
};
