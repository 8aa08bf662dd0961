import { CoreError, type Log, type LogFields } from '../../core/index.ts';

/** Milliseconds. */
const QUIET = 1_000;

/** Events about a dependency that is down; it is the first word of their names. */
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
/** Names the dependency in `id`. It comes once in 15 minutes, alerts wait for it, and so it is always kept. */
const DOWN = 'dependency.down';

/** The dependency whose outage a line tells of; undefined for any other line. */
const outageIn = (event: string, { error, id }: LogFields): string | undefined => {
  if (event === DOWN) return id;
  const code = error instanceof CoreError && error.kind === 'unavailable' ? error.code : '';
  const [, named] = /^(\w+)_unavailable$/.exec(code) ?? [];
  return named ?? (OUTAGES.has(event) ? event.split('.')[0] : undefined);
};

/**
 * A log that is not flooded by an outage: of the warnings and errors about a dependency that is down, it keeps the first
 * in a second. Their event or the code of their error names the dependency. All other lines are kept.
 */
export const quietLog = (log: Log): Log => {
  const quietUntil = new Map<string, number>();
  const at =
    (level: 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      const dependency = outageIn(event, fields);
      if (dependency !== undefined) {
        const isQuiet = performance.now() < (quietUntil.get(dependency) ?? Number.NEGATIVE_INFINITY);
        if (isQuiet && event !== DOWN) return;
        quietUntil.set(dependency, performance.now() + QUIET);
      }
      log[level](event, fields);
    };
  return { info: (event, fields) => log.info(event, fields), warn: at('warn'), error: at('error') };
};
