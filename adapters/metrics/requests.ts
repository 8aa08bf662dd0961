import type { WatchRequest } from '../../core/ports.ts';
import type { Instruments } from './instruments.ts';

/** Those that a route may have, and what browsers ask; any other word of a client is one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures the requests of one service. */
export const measureRequests =
  ({ requestDuration, requestsInFlight }: Instruments, service: string): WatchRequest =>
  () => {
    requestsInFlight.inc({ service });
    return {
      around: (answer) => answer(),
      end: ({ method, route, status, milliseconds }) => {
        requestsInFlight.dec({ service });
        const label = METHODS.has(method) ? method : 'other';
        requestDuration.labels(service, label, route, String(status)).observe(milliseconds / 1_000);
      },
    };
  };
