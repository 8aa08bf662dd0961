import type { MetricsIn } from './prom.ts';

/** A background job, as far as it is measured. */
export interface MeasuredJob {
  readonly name: string;
  /** Milliseconds. */
  readonly every: number;
  run(fence: number): Promise<number>;
}

/** Gives the same job, with its runs measured. */
export const makeJobMetrics = ({ gauge, histogram }: MetricsIn) => {
  const duration = histogram({
    name: 'gatehouse_background_duration_seconds',
    help: 'Time of one run of a background job',
    // Not `job`, which is what Prometheus itself calls a group of targets.
    labelNames: ['task', 'outcome'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60],
  });
  const lastSuccess = gauge({
    name: 'gatehouse_background_last_success_timestamp_seconds',
    help: 'When a background job last ran well in this process, or else when that began, Unix time',
    labelNames: ['task'],
    aggregator: 'max',
  });
  const interval = gauge({
    name: 'gatehouse_background_interval_seconds',
    help: 'How often a background job runs when nothing wakes it',
    labelNames: ['task'],
    aggregator: 'max',
  });

  return <T extends MeasuredJob>(job: T): T => {
    interval.set({ task: job.name }, job.every / 1_000);
    // One that never goes well is stalled, too.
    lastSuccess.setToCurrentTime({ task: job.name });

    const run = async (fence: number): Promise<number> => {
      const began = performance.now();
      const note = (outcome: string) =>
        duration.labels(job.name, outcome).observe((performance.now() - began) / 1_000);
      try {
        const done = await job.run(fence);
        note('ok');
        lastSuccess.setToCurrentTime({ task: job.name });
        return done;
      } catch (error) {
        note('error');
        throw error;
      }
    };
    return { ...job, run };
  };
};
