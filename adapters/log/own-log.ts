import type { Log } from '../../core/index.ts';
import type { ProcessLog } from './log.ts';

/** The log of a process whose events go to one of the app's own; the lines of requests stay where they were. */
export const withOwnLog = (log: ProcessLog, own: Log | undefined): ProcessLog =>
  own === undefined
    ? log
    : {
        ...log,
        info: (event, fields) => own.info(event, fields),
        warn: (event, fields) => own.warn(event, fields),
        error: (event, fields) => own.error(event, fields),
      };
