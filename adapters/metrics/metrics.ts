import cluster from 'node:cluster';
import type { Clock, WatchRequest } from '../../core/ports.ts';
import { makeInstruments } from './instruments.ts';
import { type MeasuredJob, measureJob } from './jobs.ts';
import { makeMeasured } from './parts.ts';
import { loadProm } from './prom.ts';
import { measureRequests } from './requests.ts';
import { makeSamples, type Sampled } from './samples.ts';
import { makeSteady } from './steady.ts';

/** What Prometheus reads: its text, and the content type that says which version of it. */
export interface Scrape {
  readonly type: string;
  readonly text: string;
}

export interface Metrics {
  /** The part by that name, measured where it is one that is. */
  part<T>(name: string, part: T): T;
  job<T extends MeasuredJob>(job: T): T;
  requests(service: string): WatchRequest;
  /** Milliseconds that a password waited and was hashed for; undefined: it was refused. */
  hashed(times: { readonly waited: number; readonly took: number } | undefined): void;
  /** Names what is looked at when somebody asks. */
  sample(sampled: Sampled): void;
  scrape(): Promise<Scrape>;
}

/** Metrics of one composition in a registry of its own, with those of the process (`process_…`, `nodejs_…`). */
export const openMetrics = (clock: Clock): Metrics => {
  const { AggregatorRegistry, Registry, collectDefaultMetrics } = loadProm();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const instruments = makeInstruments(registry);
  if (cluster.isWorker) {
    // It answers the primary, which serves what all of them measured.
    AggregatorRegistry.setRegistries(registry);
    new AggregatorRegistry();
  }

  return {
    part: makeMeasured(instruments, clock),
    job: (job) => measureJob(instruments, job),
    requests: (service) => measureRequests(instruments, service),
    hashed: (times) => {
      if (times === undefined) return instruments.hashRefusals.inc();
      instruments.hashWait.observe(times.waited / 1_000);
      instruments.hashDuration.observe(times.took / 1_000);
    },
    sample: makeSamples(registry, clock),
    scrape: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
};

/** Gives what reads the metrics of all workers of this process, put together. Rejects when one does not answer in 5 s. */
export const openAggregate = (): (() => Promise<Scrape>) => {
  const { AggregatorRegistry } = loadProm();
  const registry = new AggregatorRegistry();
  const steady = makeSteady();
  return async () => ({ type: registry.contentType, text: steady(await registry.clusterMetrics()) });
};
