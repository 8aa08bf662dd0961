import type { Log } from '../../core/ports.ts';
import type { MetricsIn } from './prom.ts';

/** Events of a limiter that loses what it shares with other processes, and has it again. */
const APART: Readonly<Record<string, number>> = {
  'limiter.apart': 1,
  'limiter.shared': 0,
  'limiter.failed': 1,
  'limiter.back': 0,
};

/** Gives the same log, with its warnings and errors counted. */
export const makeLogMetrics = ({ counter, gauge }: MetricsIn) => {
  const lines = counter({
    name: 'gatehouse_log_lines_total',
    help: 'Warnings and errors in the log by event',
    labelNames: ['level', 'event'],
  });
  const limiterApart = gauge({
    name: 'gatehouse_limiter_apart',
    help: '1 while this process counts by itself, since what the limiter shares cannot be used',
    aggregator: 'max',
  });
  const lookAt = (event: string) => {
    const apart = APART[event];
    if (apart !== undefined) limiterApart.set(apart);
  };

  return (log: Log): Log => ({
    info: (event, fields) => {
      lookAt(event);
      log.info(event, fields);
    },
    warn: (event, fields) => {
      lookAt(event);
      lines.inc({ level: 'warn', event });
      log.warn(event, fields);
    },
    error: (event, fields) => {
      lookAt(event);
      lines.inc({ level: 'error', event });
      log.error(event, fields);
    },
  });
};
