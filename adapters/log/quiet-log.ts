import { CoreError, type Log, type LogFields } from '../../core/index.ts';

/** The time in which further lines about the same dependency are left out. */
const QUIET_MS = 1_000;

/** Events about a dependency that is down. The first word of each names the dependency. */
const OUTAGES = new Set([
  'store.write_failed',
  'store.read_failed',
  'store.failed',
  'objects.failed',
  'cache.failed',
  'cache.refused',
  'cache.removal_owed',
  'limiter.failed',
  'limiter.refused',
  'kms.failed',
  'billing.failed',
]);
/** This event names the dependency in `id`. It is always logged: alerts depend on it, and it comes once in 15 minutes. */
const DOWN = 'dependency.down';

/** The dependency whose outage a line reports; undefined for any other line. */
const outageIn = (event: string, { error, id }: LogFields): string | undefined => {
  if (event === DOWN) return id;
  const code = error instanceof CoreError && error.kind === 'unavailable' ? error.code : '';
  const [, dependency] = /^(\w+)_unavailable$/.exec(code) ?? [];
  return dependency ?? (OUTAGES.has(event) ? event.split('.')[0] : undefined);
};

/**
 * Keeps an outage from flooding the log: of the warnings and errors about one dependency, only the first in each second is
 * logged. The event or the code of the error names the dependency. `dependency.down` and all other lines are logged.
 */
export const quietLog = (log: Log): Log => {
  const quietUntil = new Map<string, number>();
  const logAt =
    (level: 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      const dependency = outageIn(event, fields);
      if (dependency !== undefined) {
        const isQuiet = performance.now() < (quietUntil.get(dependency) ?? Number.NEGATIVE_INFINITY);
        if (isQuiet && event !== DOWN) return;
        quietUntil.set(dependency, performance.now() + QUIET_MS);
      }
      log[level](event, fields);
    };
  return { info: (event, fields) => log.info(event, fields), warn: logAt('warn'), error: logAt('error') };
};
