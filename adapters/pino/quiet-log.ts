import { CoreError, type Log, type LogFields } from '../../core/index.ts';

/** Milliseconds. */
const QUIET = 1_000;

/** What is told with each call that fails, however many there are. */
const TOLD_EACH_TIME = new Set([
  'store.write_failed',
  'store.read_failed',
  'store.failed',
  'objects.failed',
  'cache.removal_owed',
  'kms.failed',
  'billing.failed',
]);

/** The dependency whose outage a line tells of; undefined for any other line. */
const outageIn = (event: string, { error }: LogFields): string | undefined => {
  const code = error instanceof CoreError && error.kind === 'unavailable' ? error.code : '';
  const [, named] = /^(\w+)_unavailable$/.exec(code) ?? [];
  return named ?? (TOLD_EACH_TIME.has(event) ? event.split('.')[0] : undefined);
};

/**
 * A log that is not flooded by an outage: of the warnings and errors about a dependency that is down, it keeps the first
 * in a second. Their event or the code of their error names the dependency. All other lines are kept.
 */
export const quietLog = (log: Log, now: () => number = () => performance.now()): Log => {
  const quietUntil = new Map<string, number>();
  const at =
    (level: 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      const dependency = outageIn(event, fields);
      if (dependency !== undefined) {
        if (now() < (quietUntil.get(dependency) ?? Number.NEGATIVE_INFINITY)) return;
        quietUntil.set(dependency, now() + QUIET);
      }
      log[level](event, fields);
    };
  return { info: (event, fields) => log.info(event, fields), warn: at('warn'), error: at('error') };
};
