import type { WatchRequest } from '../../core/ports.ts';
import type { MetricsIn } from './prom.ts';

/** Methods of routes, and what browsers send. Any other word of a client is one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Seconds. From a cached read to the longest deadlines. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures the requests of a service. */
export const makeRequestMetrics = ({ gauge, histogram }: MetricsIn): ((service: string) => WatchRequest) => {
  const duration = histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['service', 'method', 'route', 'status'],
    buckets: BUCKETS,
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
        const label = METHODS.has(method) ? method : 'other';
        duration.labels(service, label, route, String(status)).observe(milliseconds / 1_000);
      },
    };
  };
};
