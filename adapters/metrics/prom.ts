import { createRequire } from 'node:module';
import type { CounterConfiguration, GaugeConfiguration, HistogramConfiguration, Registry } from 'prom-client';

export type Prom = typeof import('prom-client');

/**
 * The package, loaded when it is first asked for: most starts serve no metrics. By `require`, as the other packages of
 * many CommonJS files: an import would read each of them twice.
 */
export const loadProm = (): Prom => {
  const require = createRequire(import.meta.url);
  return require('prom-client');
};

/** Seconds that calls take: the buckets of their histograms. */
export const CALLS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 5];

/**
 * Makes metrics in a registry. Labels come from sets that we know, never from a request: no path, id, address or name of
 * a person. `aggregator` says how the primary joins the values of several workers; without one it adds them.
 */
export const metricsIn = (registry: Registry) => {
  const { Counter, Gauge, Histogram } = loadProm();
  const registers = [registry];
  return {
    counter: <Label extends string>(given: CounterConfiguration<Label>) =>
      new Counter({ ...given, registers }),
    gauge: <Label extends string>(given: GaugeConfiguration<Label>) => new Gauge({ ...given, registers }),
    histogram: <Label extends string>(given: HistogramConfiguration<Label>) =>
      new Histogram({ ...given, registers }),
  };
};

export type MetricsIn = ReturnType<typeof metricsIn>;
