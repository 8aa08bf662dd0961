import { write, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { DestinationStream } from 'pino';
import { CoreError } from '../../core/errors.ts';
import type { AccessLog, Log, LogFields } from '../../core/ports.ts';
import { type Descriptor, makeOutput } from './output.ts';

const require = createRequire(import.meta.url);

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

const open = (level: string, out: DestinationStream) => {
  const { pino } = require('pino') as typeof import('pino');
  return pino({ level, base: { pid: process.pid }, timestamp: false }, out);
};

/** Milliseconds for which the first lines may wait until pino is loaded: it would be a good part of the start. */
const LOADED_AFTER = 100;

/**
 * JSON lines on standard output, each with the time of its event, written within a tenth of a second; the first ones a
 * moment later, but for those that tell of something wrong. While it is full, gone or not read, a megabyte of them is
 * kept; `log.dropped` says how many were lost.
 */
export const makeLog = (level: string): ProcessLog => {
  const early: object[] = [];
  let lines: ReturnType<typeof open> | undefined;
  const out = makeOutput(openStdout(), (count) => load().warn(stamped({ event: 'log.dropped', count })));

  const load = () => {
    lines ??= open(level, out);
    for (const line of early.splice(0)) lines.info(line);
    return lines;
  };
  const stamped = (line: object) => ({ time: new Date().toISOString(), ...line });
  const inform = (line: object) => {
    if (lines !== undefined) lines.info(stamped(line));
    else if (early.push(stamped(line)) === 1) setTimeout(load, LOADED_AFTER);
  };

  return {
    info: (event, fields = {}) => inform({ event, ...listed(fields) }),
    warn: (event, fields = {}) => load().warn(stamped({ event, ...listed(fields) })),
    error: (event, fields = {}) => load().error(stamped({ event, ...listed(fields) })),
    pass: out.write,
    access: (line) => inform({ event: 'request', ...line }),
    flush: () => {
      if (early.length > 0) load();
      return out.flush();
    },
  };
};
