import cluster from 'node:cluster';
import type { Clock } from '../../core/ports.ts';
import { makeDependencyMetrics } from './dependencies.ts';
import { makeHashMetrics } from './hashes.ts';
import { makeJobMetrics } from './jobs.ts';
import { makeLimiterMetrics } from './limiter.ts';
import { makeLogMetrics } from './log.ts';
import { metricsIn, openRegistry, openRegistryOfWorkers, type Registry } from './prom.ts';
import { makeRequestMetrics } from './requests.ts';
import { makeSamples } from './samples.ts';
import { makeSteady } from './steady.ts';
import { makeStoreMetrics } from './stores.ts';

/** Metrics in Prometheus's text format, with the content type that names its version. */
export interface Scrape {
  readonly type: string;
  readonly text: string;
}

/** Everything that is measured, in a registry. Each member measures one thing that it is given. */
export const makeMetrics = (registry: Registry, clock: Clock) => {
  const metrics = metricsIn(registry);
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

/**
 * Metrics of one composition in a registry of its own, with those of the process (`process_…`, `nodejs_…`). Throws
 * `ConfigError` if their package is not installed.
 */
export const openMetrics = (clock: Clock): Metrics => {
  const registry = openRegistry(cluster.isWorker);
  return {
    ...makeMetrics(registry, clock),
    scrape: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
};

/**
 * Gives what reads the metrics of all workers of this process, put together. Rejects when one does not answer in 5 s.
 * Throws `ConfigError` if their package is not installed.
 */
export const openAggregate = (): (() => Promise<Scrape>) => {
  const registry = openRegistryOfWorkers();
  const steady = makeSteady();
  return async () => ({ type: registry.contentType, text: steady(await registry.metrics()) });
};
