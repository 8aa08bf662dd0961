import { type DestinationStream, destination, pino } from 'pino';
import type { AccessLog, Log, LogFields } from '../../core/ports.ts';

export interface ProcessLog extends Log {
  readonly access: AccessLog;
  /** Writes out what is buffered, at once. */
  flush(): void;
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

/** JSON lines on standard output, buffered for at most a tenth of a second. */
export const makeLog = (level: string): ProcessLog => {
  const out = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 });
  const lines = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    out as DestinationStream,
  );
  return {
    info: (event, fields = {}) => lines.info({ event, ...listed(fields) }),
    warn: (event, fields = {}) => lines.warn({ event, ...listed(fields) }),
    error: (event, fields = {}) => lines.error({ event, ...listed(fields) }),
    access: (line) => lines.info({ event: 'request', ...line }),
    flush: () => {
      try {
        out.flushSync();
      } catch {
        // Not open yet, or standard output is gone: there is nowhere to write to.
      }
    },
  };
};
