import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Limiter, WatchRequest } from '../../core/ports.ts';
import { makeDependencyMetrics } from './dependency-metrics.ts';
import { makeLogMetrics } from './log-metrics.ts';
import {
  CALL_BUCKETS,
  type MetricsIn,
  metricsIn,
  openRegistry,
  openRegistryOfWorkers,
  type Registry,
} from './prom-client.ts';
import { makeSamples } from './sampled-gauges.ts';
import { makeStoreMetrics } from './store-metrics.ts';

/** A background job that can be measured. */
export interface MeasuredJob {
  readonly name: string;
  /** Milliseconds. */
  readonly every: number;
  run(fence: number): Promise<number>;
}

const makeJobMetrics = ({ gauge, histogram }: MetricsIn) => {
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
    // Set at the start, so that a job that never succeeds counts as stalled.
    lastSuccess.setToCurrentTime({ task: job.name });

    const run = async (fence: number): Promise<number> => {
      const startedAt = performance.now();
      let outcome = 'error';
      try {
        const count = await job.run(fence);
        outcome = 'ok';
        lastSuccess.setToCurrentTime({ task: job.name });
        return count;
      } finally {
        duration.labels(job.name, outcome).observe((performance.now() - startedAt) / 1_000);
      }
    };
    return { ...job, run };
  };
};

/**
 * Keeps counters from falling. The sum over several workers falls when a worker ends; Prometheus would take that for a
 * restart and count the remaining sum again. A counter that falls continues from its last reported value; counts that a worker
 * did not report before its end are lost. See decision 0053.
 */
export const makeSteady = (): ((text: string) => string) => {
  const lastBySeries = new Map<string, { readonly raw: number; readonly fallen: number }>();

  const steadyValue = (series: string, raw: number): number => {
    const previous = lastBySeries.get(series) ?? { raw, fallen: 0 };
    const fallen = previous.fallen + Math.max(0, previous.raw - raw);
    lastBySeries.set(series, { raw, fallen });
    return raw + fallen;
  };

  return (text) => {
    let isOfCounter = false;
    return text
      .split('\n')
      .map((line) => {
        if (line.startsWith('# TYPE ')) isOfCounter = / (?:counter|histogram)$/.test(line);
        const [, series, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
        if (!isOfCounter || series === undefined || value === undefined) return line;
        return `${series} ${steadyValue(series, Number(value))}`;
      })
      .join('\n');
  };
};

/** Methods of routes and browsers. All other methods share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Seconds, from a cached read to the longest deadlines. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const makeRequestMetrics = ({ gauge, histogram }: MetricsIn): ((service: string) => WatchRequest) => {
  const duration = histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['service', 'method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
  });
  const inFlight = gauge({
    name: 'gatehouse_http_requests_in_flight',
    help: 'Requests that are being answered',
    labelNames: ['service'],
  });

  return (service) => () => {
    inFlight.inc({ service });
    return {
      around: (answer) => answer(),
      end: ({ method, route, status, milliseconds }) => {
        inFlight.dec({ service });
        const methodLabel = METHODS.has(method) ? method : 'other';
        duration.labels(service, methodLabel, route, String(status)).observe(milliseconds / 1_000);
      },
    };
  };
};

const makeLimiterMetrics = ({ counter }: MetricsIn) => {
  const refusals = counter({
    name: 'gatehouse_rate_limit_refusals_total',
    help: 'Calls beyond the allowance of a bucket',
    labelNames: ['bucket'],
  });
  return (limiter: Limiter): Limiter => ({
    take: async (bucket, key) => {
      const budget = await limiter.take(bucket, key);
      if (!budget.allowed) refusals.inc({ bucket: bucket.name });
      return budget;
    },
  });
};

/** Gets the milliseconds that a password waited and was hashed for; undefined if too many waited or its turn came too late. */
export type ObserveHash = (times: { readonly waited: number; readonly took: number } | undefined) => void;

const makeHashMetrics = ({ counter, histogram }: MetricsIn): ObserveHash => {
  const waitingTime = histogram({
    name: 'gatehouse_hash_wait_seconds',
    help: 'Time that a password waited for its turn to be hashed',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2],
  });
  const duration = histogram({
    name: 'gatehouse_hash_duration_seconds',
    help: 'Time that hashing a password took',
    buckets: CALL_BUCKETS,
  });
  const refusals = counter({
    name: 'gatehouse_hash_refusals_total',
    help: 'Passwords that were not hashed, since too many were waiting or the wait was too long',
  });

  return (times) => {
    if (times === undefined) return refusals.inc();
    waitingTime.observe(times.waited / 1_000);
    duration.observe(times.took / 1_000);
  };
};

/** Metrics in Prometheus's text format, with the content type that names its version. */
export interface Scrape {
  readonly type: string;
  readonly text: string;
}

/** What runs: the version of the program, and the kind of its store. */
export interface Build {
  readonly version: string;
  readonly store: string;
}

/** All metrics in one registry. Each member measures its argument, but `hashed` is given times that the hasher measured. */
export const makeMetrics = (registry: Registry, clock: Clock, build: Build) => {
  const metrics = metricsIn(registry);
  metrics
    .gauge({
      name: 'gatehouse_build_info',
      help: 'Always 1',
      labelNames: ['version', 'store'],
      aggregator: 'max',
    })
    .set({ ...build }, 1);
  return {
    dependencies: makeDependencyMetrics(metrics),
    stores: makeStoreMetrics(metrics, clock),
    limiter: makeLimiterMetrics(metrics),
    log: makeLogMetrics(metrics),
    job: makeJobMetrics(metrics),
    requests: makeRequestMetrics(metrics),
    hashed: makeHashMetrics(metrics),
    sample: makeSamples(metrics, clock),
  };
};

export interface Metrics extends ReturnType<typeof makeMetrics> {
  scrape(): Promise<Scrape>;
}

/** Metrics in a registry of their own, with those of the process. Throws `ConfigError` if their package is not installed. */
export const openMetrics = (clock: Clock, build: Build): Metrics => {
  const registry = openRegistry(cluster.isWorker);
  return {
    ...makeMetrics(registry, clock, build),
    scrape: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
};

/** Milliseconds after the first request at which it is repeated, within the 5 s for which the package waits for each answer. */
const ASK_AGAIN_MS = [1_000, 2_000, 3_000, 4_000];

/**
 * Returns a function that reads the combined metrics of all workers of this process. It rejects if a worker does not answer
 * within 5 s. A worker that is starting loses a request, so it is asked again. Throws `ConfigError` if the package of metrics is
 * not installed.
 */
export const openAggregate = (): (() => Promise<Scrape>) => {
  const registry = openRegistryOfWorkers();
  const steady = makeSteady();
  const read = async (): Promise<string> => {
    const answered = new AbortController();
    const askLater = async (ms: number) => {
      await wait(ms, undefined, { signal: answered.signal });
      return registry.metrics();
    };
    try {
      // The first request alone decides when the reading has failed. Of the further ones only a success counts.
      return await Promise.race([registry.metrics(), Promise.any(ASK_AGAIN_MS.map(askLater))]);
    } finally {
      answered.abort();
    }
  };
  return async () => ({ type: registry.contentType, text: steady(await read()) });
};
