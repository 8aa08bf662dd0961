import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { AccessLog, Log, LogFields } from '../../core/ports.ts';
import { type Descriptor, makeOutput } from './output.ts';

export interface ProcessLog extends Log {
  readonly access: AccessLog;
  /** Writes out what is kept, for half a second at the most while nobody reads. */
  flush(): Promise<void>;
}

/** Only what we list is written: a further member of the object never gets out. */
const listed = ({ userId, sessionId, address, requestId, reason, count, id, error }: LogFields) => ({
  userId,
  sessionId,
  address,
  requestId,
  reason,
  count,
  id,
  ...(error === undefined ? {} : { error: describe(error) }),
});

const describe = (error: unknown) =>
  error instanceof Error
    ? { type: error.name, message: error.message, stack: error.stack }
    : { type: typeof error };

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
 * JSON lines on standard output, written within a tenth of a second. While it is full, gone or not read, a megabyte of
 * them is kept; `log.dropped` says how many were lost.
 */
export const makeLog = (level: string): ProcessLog => {
  const out = makeOutput(openStdout(), (count) => lines.warn({ event: 'log.dropped', count }));
  const lines = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, out);
  return {
    info: (event, fields = {}) => lines.info({ event, ...listed(fields) }),
    warn: (event, fields = {}) => lines.warn({ event, ...listed(fields) }),
    error: (event, fields = {}) => lines.error({ event, ...listed(fields) }),
    access: (line) => lines.info({ event: 'request', ...line }),
    flush: out.flush,
  };
};
