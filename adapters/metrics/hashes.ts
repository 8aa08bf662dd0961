import { CALLS, type MetricsIn } from './prom.ts';

/** Milliseconds that a password waited and was hashed for; undefined: it was refused. */
export type Hashed = (times: { readonly waited: number; readonly took: number } | undefined) => void;

/** Measures the hashing of passwords. */
export const makeHashMetrics = ({ counter, histogram }: MetricsIn): Hashed => {
  const wait = histogram({
    name: 'gatehouse_hash_wait_seconds',
    help: 'Time that a password waited for its turn to be hashed',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2],
  });
  const duration = histogram({
    name: 'gatehouse_hash_duration_seconds',
    help: 'Time that hashing a password took',
    buckets: CALLS,
  });
  const refusals = counter({
    name: 'gatehouse_hash_refusals_total',
    help: 'Passwords that were not hashed, since too many were waiting or the wait was too long',
  });

  return (times) => {
    if (times === undefined) return refusals.inc();
    wait.observe(times.waited / 1_000);
    duration.observe(times.took / 1_000);
  };
};
