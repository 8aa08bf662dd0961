import type { Registry } from 'prom-client';
import { loadProm } from './prom.ts';

/** Seconds. From what a cached read takes to what the longest deadlines are. */
const REQUESTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALLS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 5];
const STORE = [0.0005, 0.0025, 0.01, 0.05, 0.25, 1, 5];
const WAITS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2];
const JOBS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60];
const LAGS = [0.1, 0.5, 1, 5, 15, 60, 300, 3_600, 86_400];

/**
 * Everything that is measured as it happens. Labels come from sets that we know, never from a request: no path, id,
 * address or name of a person. `aggregator` says what becomes of the values of several processes.
 */
export const makeInstruments = (registry: Registry) => {
  const { Counter, Gauge, Histogram } = loadProm();
  const registers = [registry];
  return {
    requestDuration: new Histogram({
      name: 'gatehouse_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      labelNames: ['service', 'method', 'route', 'status'],
      buckets: REQUESTS,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'gatehouse_http_requests_in_flight',
      help: 'Requests that are being answered',
      labelNames: ['service'],
      registers,
    }),
    rateLimitRefusals: new Counter({
      name: 'gatehouse_rate_limit_refusals_total',
      help: 'Calls beyond the allowance of a bucket',
      labelNames: ['bucket'],
      registers,
    }),
    limiterApart: new Gauge({
      name: 'gatehouse_limiter_apart',
      help: '1 while this process counts by itself, since what the limiter shares cannot be used',
      aggregator: 'max',
      registers,
    }),
    hashWait: new Histogram({
      name: 'gatehouse_hash_wait_seconds',
      help: 'Time that a password waited for its turn to be hashed',
      buckets: WAITS,
      registers,
    }),
    hashDuration: new Histogram({
      name: 'gatehouse_hash_duration_seconds',
      help: 'Time that hashing a password took',
      buckets: CALLS,
      registers,
    }),
    hashRefusals: new Counter({
      name: 'gatehouse_hash_refusals_total',
      help: 'Passwords that were not hashed, since too many were waiting or the wait was too long',
      registers,
    }),
    dependencyCall: new Histogram({
      name: 'gatehouse_dependency_call_duration_seconds',
      help: 'Time of calls to what stands outside: cache, kms, mail, billing, rates, dns',
      labelNames: ['dependency', 'method', 'outcome'],
      buckets: CALLS,
      registers,
    }),
    storeCall: new Histogram({
      name: 'gatehouse_store_call_duration_seconds',
      help: 'Time of calls to the store, by port',
      labelNames: ['store', 'method', 'outcome'],
      buckets: STORE,
      registers,
    }),
    cacheReads: new Counter({
      name: 'gatehouse_cache_reads_total',
      help: 'Reads of cached file records',
      labelNames: ['result'],
      registers,
    }),
    webhookLag: new Histogram({
      name: 'gatehouse_webhook_lag_seconds',
      help: 'Time from the receipt of a delivery of the payment provider until it was applied',
      buckets: LAGS,
      registers,
    }),
    jobDuration: new Histogram({
      name: 'gatehouse_background_duration_seconds',
      help: 'Time of one run of a background job',
      // Not `job`, which is what Prometheus itself calls a group of targets.
      labelNames: ['task', 'outcome'],
      buckets: JOBS,
      registers,
    }),
    jobLastSuccess: new Gauge({
      name: 'gatehouse_background_last_success_timestamp_seconds',
      help: 'When a background job last ran well in this process, or else when that began, Unix time',
      labelNames: ['task'],
      aggregator: 'max',
      registers,
    }),
    jobInterval: new Gauge({
      name: 'gatehouse_background_interval_seconds',
      help: 'How often a background job runs when nothing wakes it',
      labelNames: ['task'],
      aggregator: 'max',
      registers,
    }),
    leaseHeld: new Gauge({
      name: 'gatehouse_lease_held',
      help: '1 where this process holds the lease on a background job',
      labelNames: ['task'],
      registers,
    }),
    logLines: new Counter({
      name: 'gatehouse_log_lines_total',
      help: 'Warnings and errors in the log by event',
      labelNames: ['level', 'event'],
      registers,
    }),
  } as const;
};

export type Instruments = ReturnType<typeof makeInstruments>;
