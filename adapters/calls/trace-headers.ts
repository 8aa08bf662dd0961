import { AsyncLocalStorage } from 'node:async_hooks';

type TraceHeaders = Readonly<Record<string, string>>;

const carried = new AsyncLocalStorage<TraceHeaders>();
const NONE: TraceHeaders = {};

/** Runs a call whose requests carry these headers (W3C Trace Context). */
export const withTraceHeaders = <T>(headers: TraceHeaders, call: () => T): T => carried.run(headers, call);

/** The trace headers for a request that is sent now; empty if tracing is off. */
export const traceHeaders = (): TraceHeaders => carried.getStore() ?? NONE;
