import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { requireArguments } from '../../core/check-arguments.ts';
import { CoreError } from '../../core/errors.ts';
import type { AccessLog, Log, LogFields } from '../../core/ports.ts';
import { oneOf } from '../../core/schema.ts';
import { isError } from '../calls/is-error.ts';
import { type Descriptor, makeOutput } from './buffered-output.ts';

/** The number of each level. Lines with at least the number of `LOG_LEVEL` are written. */
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
  /** Writes complete lines of another process of this product. */
  pass(lines: string): void;
  /** Writes the buffered lines; gives up after half a second if nothing reads them. */
  flush(): Promise<void>;
}

/** Only these fields and `error` are written: any other member of the object stays out of the log. */
const FIELDS = [
  'userId',
  'sessionId',
  'address',
  'requestId',
  'reason',
  'factors',
  'count',
  'id',
  'keyId',
] as const satisfies readonly (keyof LogFields)[];

const pickFields = (fields: LogFields) => ({
  ...Object.fromEntries(FIELDS.map((name) => [name, fields[name]])),
  ...(fields.error === undefined ? {} : { error: describe(fields.error) }),
});

/** A `CoreError` is logged without its stack: during an outage there are many, all from the same place. */
const describe = (error: unknown) => {
  if (error instanceof CoreError) return { type: error.name, code: error.code, message: error.message };
  if (!isError(error)) return { type: typeof error };
  return { type: error.name, message: error.message, stack: error.stack };
};

const STDOUT = 1;
const writeTo = promisify(write);

const openStdout = (): Descriptor => {
  // Node.js makes a pipe or socket non-blocking when `process.stdout` is first read: a stalled reader then gives EAGAIN.
  // A blocking write would hold a thread, and the process could not end.
  void process.stdout;
  return {
    write: async (bytes) => (await writeTo(STDOUT, bytes)).bytesWritten,
    writeNow: (bytes) => writeSync(STDOUT, bytes),
  };
};

/**
 * JSON lines on standard output, each written within a tenth of a second. While the output is full, closed or not read, up to
 * a megabyte is buffered; `log.dropped` counts the lost lines.
 */
export const makeLog = (level: LogLevel): ProcessLog => {
  requireArguments([level], { level: oneOf(Object.keys(LEVELS)) });
  const least = LEVELS[level];
  const out = makeOutput(openStdout(), (count) => writeLine('warn', { event: 'log.dropped', count }));
  const writeLine = (name: 'info' | 'warn' | 'error', line: object) => {
    const number = LEVELS[name];
    if (number < least) return;
    out.write(
      `${JSON.stringify({ level: number, pid: process.pid, time: new Date().toISOString(), ...line })}\n`,
    );
  };

  return {
    info: (event, fields = {}) => writeLine('info', { event, ...pickFields(fields) }),
    warn: (event, fields = {}) => writeLine('warn', { event, ...pickFields(fields) }),
    error: (event, fields = {}) => writeLine('error', { event, ...pickFields(fields) }),
    pass: out.write,
    access: (line) => writeLine('info', { event: 'request', ...line }),
    flush: out.flush,
  };
};

/** Sends the events to the log of an embedding app; request lines stay in the process log. */
export const withAppLog = (log: ProcessLog, appLog: Log | undefined): ProcessLog =>
  appLog === undefined
    ? log
    : {
        ...log,
        info: (event, fields) => appLog.info(event, fields),
        warn: (event, fields) => appLog.warn(event, fields),
        error: (event, fields) => appLog.error(event, fields),
      };
