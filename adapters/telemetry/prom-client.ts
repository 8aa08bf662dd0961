import { createRequire } from 'node:module';
import { isAbsent } from '../calls/optional-package.ts';
import { missingPackages } from '../config/config-error.ts';

const PACKAGE = 'prom-client';

/** By `require`, since an import would read each CommonJS file of the optional package twice. Throws `ConfigError`. */
const load = (): typeof import('prom-client') => {
  const require = createRequire(import.meta.url);
  try {
    return require('prom-client');
  } catch (error) {
    throw isAbsent(error, PACKAGE)
      ? missingPackages('METRICS_PORT', 'metrics need a package', [PACKAGE])
      : error;
  }
};

/** The used part of the package in types of our own: an app compiles against this folder without the package. */
export interface Registry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

type Labels<Label extends string> = Partial<Record<Label, string>>;

export interface Counter<Label extends string> {
  inc(): void;
  inc(labels: Labels<Label>, value?: number): void;
}

export interface Gauge<Label extends string> {
  set(value: number): void;
  set(labels: Labels<Label>, value: number): void;
  inc(labels: Labels<Label>): void;
  dec(labels: Labels<Label>): void;
  setToCurrentTime(labels: Labels<Label>): void;
}

export interface Histogram {
  observe(value: number): void;
  /** The values are in the order of `labelNames`. */
  labels(...values: string[]): { observe(value: number): void };
}

export interface MetricOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

export interface GaugeOptions<Label extends string> extends MetricOptions<Label> {
  /** How the primary joins the values of several workers; without one it adds them. */
  readonly aggregator?: 'max' | 'min' | 'sum';
  /** Runs before the value is read. */
  readonly collect?: () => Promise<void>;
}

/** Seconds: the buckets of histograms of calls. */
export const CALL_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 5];

/** Metrics of the package for which the primary reports the highest value of a worker: an alert has a limit for each process. */
const HIGHEST = ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'];

/** A new registry with the metrics of the process. A worker reports its registry to the primary on request. */
export const openRegistry = (isWorker: boolean): Registry => {
  const { AggregatorRegistry, Registry, collectDefaultMetrics } = load();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of HIGHEST) Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator: 'max' });
  if (isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // The constructor begins to listen for the requests of the primary.
    new AggregatorRegistry();
  }
  return registry;
};

/** The registries of all workers of this process as one. */
export const openRegistryOfWorkers = (): Registry => {
  const { AggregatorRegistry } = load();
  const registry = new AggregatorRegistry();
  return { contentType: registry.contentType, metrics: () => registry.clusterMetrics() };
};

/** Makes metrics in a registry. Labels come from known sets, never from a request: no path, id, address or name of a person. */
export const metricsIn = (registry: Registry) => {
  const prom = load();
  const optionsOf = <Label extends string>({ labelNames = [], ...options }: MetricOptions<Label>) => ({
    ...options,
    labelNames: [...labelNames],
    registers: [registry as InstanceType<typeof prom.Registry>],
  });
  return {
    counter: <const Label extends string>(options: MetricOptions<Label>): Counter<Label> =>
      new prom.Counter(optionsOf(options)),
    gauge: <const Label extends string>(options: GaugeOptions<Label>): Gauge<Label> =>
      new prom.Gauge(optionsOf(options)),
    histogram: <const Label extends string>(
      options: MetricOptions<Label> & { readonly buckets: number[] },
    ): Histogram => new prom.Histogram(optionsOf(options)),
  };
};

export type MetricsIn = ReturnType<typeof metricsIn>;
