import type { Clock, Limiter, Log, ObjectStore, WatchRequest } from '../../core/index.ts';
import type { Job } from '../background/job-runner.ts';
import { storeKind } from '../choose-store.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import type { StorePorts } from '../store.ts';
import type { Dependencies } from '../telemetry/dependency-metrics.ts';
import { openMetrics } from '../telemetry/metrics.ts';
import type { Sampled } from '../telemetry/sampled-gauges.ts';
import { openTracing } from '../telemetry/tracing.ts';
import { version } from '../version.ts';

const watchBoth = (
  first: WatchRequest | undefined,
  second: WatchRequest | undefined,
): WatchRequest | undefined => {
  if (first === undefined || second === undefined) return first ?? second;
  return (request) => {
    const outer = first(request);
    const inner = second(request);
    return {
      around: (answer) => outer.around(() => inner.around(answer)),
      end: (line) => {
        outer.end(line);
        inner.end(line);
      },
    };
  };
};

/**
 * Opens the metrics and traces that the settings ask for, if `observed` is true. Without them ports, logs and jobs stay as
 * they are, and `requests` returns undefined. An embedding app's `log` takes the place of `processLog`. Throws `ConfigError`.
 */
export const openObservation = (
  config: Config,
  { observed = false, clock = systemClock, log }: { observed?: boolean; clock?: Clock; log?: Log },
  processLog: Log,
) => {
  const { tracing } = config;
  const traces =
    observed && tracing !== null ? openTracing({ ...tracing, version }, log ?? processLog) : undefined;
  const build = { version, store: storeKind(config) };
  const metrics = observed && config.metrics !== null ? openMetrics(clock, build) : undefined;
  return {
    dependencies: (ports: Dependencies): Dependencies => {
      // Traces replace some of the dependencies, metrics wrap them all.
      const traced = { ...ports, ...traces?.dependencies(ports) };
      return metrics?.dependencies(traced) ?? traced;
    },
    stores: (ports: StorePorts): StorePorts => metrics?.stores(ports) ?? ports,
    /** For objects that another service stores. */
    objects: (store: ObjectStore): ObjectStore => traces?.objects(store) ?? store,
    limiter: (limiter: Limiter): Limiter => metrics?.limiter(limiter) ?? limiter,
    log: (target: Log): Log => metrics?.log(target) ?? target,
    jobs: (jobs: readonly Job[]): readonly Job[] =>
      jobs.map((job) => {
        const traced = traces?.job(job) ?? job;
        return metrics?.job(traced) ?? traced;
      }),
    requests: (service: string): WatchRequest | undefined =>
      watchBoth(traces?.requests(service), metrics?.requests(service)),
    sample: (sampled: Sampled) => metrics?.sample(sampled),
    /** Takes the times of each hashed password, or undefined for a refused one. Absent without metrics. */
    hashed: metrics?.hashed,
    /** Absent without metrics. */
    scrape: metrics?.scrape,
    close: async () => traces?.close(),
  };
};

export type Observation = ReturnType<typeof openObservation>;
