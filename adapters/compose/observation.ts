import type { Clock, Log, WatchRequest } from '../../core/index.ts';
import type { Job } from '../background/background.ts';
import { missingPackages } from '../config/config-error.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { type Metrics, openMetrics, type Scrape } from '../metrics/metrics.ts';
import type { Sampled } from '../metrics/samples.ts';
import { MissingTracingPackages, TRACING_PACKAGES } from '../tracing/packages.ts';
import { openTracing, type Tracing } from '../tracing/tracing.ts';
import { version } from '../version.ts';

/** What looks on while the product works, as far as the settings ask for it. */
export interface Observation {
  /** The part by that name, or one that does the same and is looked at. */
  part<T>(name: string, part: T): T;
  jobs(jobs: readonly Job[]): readonly Job[];
  requests(service: string): WatchRequest | undefined;
  /** Called with each hash; undefined: a password was refused. */
  readonly hashed: Metrics['hashed'] | undefined;
  sample(sampled: Sampled): void;
  /** Absent without metrics. */
  readonly scrape?: () => Promise<Scrape>;
  close(): Promise<void>;
}

const unobserved: Observation = {
  hashed: undefined,
  part: (_name, part) => part,
  jobs: (jobs) => jobs,
  requests: () => undefined,
  sample: () => undefined,
  close: async () => undefined,
};

const both = (watches: readonly WatchRequest[]): WatchRequest | undefined => {
  const [first, second] = watches;
  if (first === undefined || second === undefined) return first;
  return (request) => {
    const [one, other] = [first(request), second(request)];
    return {
      around: (answer) => one.around(() => other.around(answer)),
      end: (line) => {
        one.end(line);
        other.end(line);
      },
    };
  };
};

const openTraces = ({ tracing }: Config, log: Log): Tracing | undefined => {
  if (tracing === null) return undefined;
  try {
    return openTracing({ ...tracing, version }, log);
  } catch (error) {
    if (!(error instanceof MissingTracingPackages)) throw error;
    throw missingPackages(tracing.setting, 'traces need packages', TRACING_PACKAGES);
  }
};

/** Opens the metrics and the traces that the settings ask for, where `observed` says so. Throws `ConfigError`. */
export const openObservation = (
  config: Config,
  { observed = false, clock = systemClock, log }: { observed?: boolean; clock?: Clock; log?: Log },
  processLog: Log,
): Observation => {
  if (!observed) return unobserved;
  const traces = openTraces(config, log ?? processLog);
  const metrics = config.metrics === null ? undefined : openMetrics(clock);
  if (traces === undefined && metrics === undefined) return unobserved;
  const watchers: readonly Pick<Metrics, 'part' | 'job' | 'requests'>[] = [traces, metrics].filter(
    (one) => one !== undefined,
  );
  return {
    part: (name, part) => watchers.reduce((watched, one) => one.part(name, watched), part),
    jobs: (jobs) => jobs.map((job) => watchers.reduce((watched, one) => one.job(watched), job)),
    requests: (service) => both(watchers.map((one) => one.requests(service))),
    sample: (sampled) => metrics?.sample(sampled),
    hashed: metrics?.hashed,
    ...(metrics !== undefined && { scrape: metrics.scrape }),
    close: async () => traces?.close(),
  };
};
