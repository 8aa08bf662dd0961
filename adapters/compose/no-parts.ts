import type { WebhookSender } from '../../core/index.ts';
import type { ProcessLog } from '../log/log.ts';
import type { Observation } from './observation.ts';

// What a product in memory does without.

/** A log that nobody reads. */
export const silent: ProcessLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  access: () => undefined,
  pass: () => undefined,
  flush: async () => undefined,
};

/** Neither metrics nor traces. */
export const unobserved: Observation = {
  dependencies: (ports) => ports,
  stores: (ports) => ports,
  objects: (store) => store,
  limiter: (limiter) => limiter,
  log: (log) => log,
  jobs: (jobs) => jobs,
  requests: () => undefined,
  hashed: undefined,
  sample: () => undefined,
  close: async () => undefined,
};

/** No server is told of events. */
export const noEndpoints: WebhookSender = {
  endpoints: [],
  idOf: (url) => url,
  send: async () => ({ outcome: 'refused', failure: 'no_endpoint' }),
};
