import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { oneOf, requireArguments } from '../../core/arguments.ts';
import { CoreError } from '../../core/errors.ts';
import type { AccessLog, Log, LogFields } from '../../core/ports.ts';
import { type Descriptor, makeOutput } from './output.ts';

/** What each level of `LOG_LEVEL` lets through; a line carries the number of its own. */
const LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
};

export type LogLevel = keyof typeof LEVELS;

export interface ProcessLog extends Log {
  readonly access: AccessLog;
  /** Writes whole lines that another process of ours made in the same form. */
  pass(lines: string): void;
  /** Writes out what is kept, for half a second at the most while nobody reads. */
  flush(): Promise<void>;
}

/** Only what we list is written: a further member of the object never gets out. */
const listed = ({ userId, sessionId, address, requestId, reason, factors, count, id, error }: LogFields) => ({
  userId,
  sessionId,
  address,
  requestId,
  reason,
  factors,
  count,
  id,
  ...(error === undefined ? {} : { error: describe(error) }),
});

/** A refusal is told by its code alone: while something is down there are many, all from the same place. */
const describe = (error: unknown) => {
  if (error instanceof CoreError) return { type: error.name, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { type: typeof error };
  return { type: error.name, message: error.message, stack: error.stack };
};

const STDOUT = 1;
const writeTo = promisify(write);

const openStdout = (): Descriptor => {
  // Node makes a pipe or a socket non-blocking when its stream is asked for: a reader that stalls is an EAGAIN then.
  // A write that blocks would hold a thread, which the end of the process waits for.
  void process.stdout;
  return {
    write: async (bytes) => (await writeTo(STDOUT, bytes)).bytesWritten,
    writeNow: (bytes) => writeSync(STDOUT, bytes),
  };
};

/**
 * JSON lines on standard output, each written within a tenth of a second. While it is full, gone or not read, a megabyte
 * of them is kept; `log.dropped` says how many were lost.
 */
export const makeLog = (level: LogLevel): ProcessLog => {
  requireArguments([level], { level: oneOf(...Object.keys(LEVELS)) });
  const least = LEVELS[level];
  const out = makeOutput(openStdout(), (count) => write('warn', { event: 'log.dropped', count }));
  const write = (name: 'info' | 'warn' | 'error', line: object) => {
    const number = LEVELS[name];
    if (number < least) return;
    out.write(
      `${JSON.stringify({ level: number, pid: process.pid, time: new Date().toISOString(), ...line })}\n`,
    );
  };

  return {
    info: (event, fields = {}) => write('info', { event, ...listed(fields) }),
    warn: (event, fields = {}) => write('warn', { event, ...listed(fields) }),
    error: (event, fields = {}) => write('error', { event, ...listed(fields) }),
    pass: out.write,
    access: (line) => write('info', { event: 'request', ...line }),
    flush: out.flush,
  };
};
