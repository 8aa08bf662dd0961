import type { Log, LogFields } from '../../core/ports.ts';
import type { MetricsIn } from './prom-client.ts';

/** The value of `gatehouse_limiter_apart` after an event: 1 while the limiter has lost its shared counters. */
const APART: Readonly<Record<string, number>> = {
  // Counters in the file `limits.db`.
  'limiter.apart': 1,
  'limiter.shared': 0,
  // Counters in Redis.
  'limiter.failed': 1,
  'limiter.back': 0,
};

/** The events after the first factor of a sign-in or of a fresh proof of identity, each with its counter and outcome. */
const FIRST_FACTORS: Readonly<Record<string, readonly ['signIns' | 'proofs', string]>> = {
  'sign_in.succeeded': ['signIns', 'succeeded'],
  'sign_in.challenged': ['signIns', 'challenged'],
  'sign_in.failed': ['signIns', 'failed'],
  'proof.succeeded': ['proofs', 'succeeded'],
  'proof.failed': ['proofs', 'failed'],
};

/** Events whose increase raises an alert. Prometheus sees no increase in a series that begins at 1, so these begin at 0. */
const ALERTING = [
  { level: 'error', event: 'http.failed' },
  { level: 'warn', event: 'session.stolen' },
  { level: 'warn', event: 'traces.lost' },
] as const;

/** Counts the warnings and errors of the log and the outcomes of sign-ins and proofs, and shows whether the limiter is apart. */
export const makeLogMetrics = ({ counter, gauge }: MetricsIn) => {
  const lines = counter({
    name: 'gatehouse_log_lines_total',
    help: 'Warnings and errors in the log by event',
    labelNames: ['level', 'event'],
  });
  for (const labels of ALERTING) lines.inc(labels, 0);
  const limiterApart = gauge({
    name: 'gatehouse_limiter_apart',
    help: '1 while this process counts by itself, since what the limiter shares cannot be used',
    aggregator: 'max',
  });
  const outcomes = {
    signIns: counter({
      name: 'gatehouse_sign_ins_total',
      help: 'Sign-ins by the first factor; challenged: a second one was asked for',
      labelNames: ['method', 'outcome'],
    }),
    proofs: counter({
      name: 'gatehouse_proofs_total',
      help: 'Fresh proofs of who somebody is, by the first factor',
      labelNames: ['method', 'outcome'],
    }),
  };
  const count = (event: string, fields: LogFields | undefined) => {
    const apart = APART[event];
    if (apart !== undefined) limiterApart.set(apart);
    const [counterName, outcome] = FIRST_FACTORS[event] ?? [];
    const method = fields?.factors?.[0];
    if (counterName !== undefined && outcome !== undefined && method !== undefined)
      outcomes[counterName].inc({ method, outcome });
  };

  return (log: Log): Log => ({
    info: (event, fields) => {
      count(event, fields);
      log.info(event, fields);
    },
    warn: (event, fields) => {
      count(event, fields);
      lines.inc({ level: 'warn', event });
      log.warn(event, fields);
    },
    error: (event, fields) => {
      count(event, fields);
      lines.inc({ level: 'error', event });
      log.error(event, fields);
    },
  });
};
