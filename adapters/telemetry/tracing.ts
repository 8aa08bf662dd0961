import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Span, SpanContext } from '@opentelemetry/api';
import type { IdentityProviders, Mailer, ObjectStore } from '../../core/accounts/ports.ts';
import type { BillingProvider, RateSource } from '../../core/billing/ports.ts';
import type { Kms, Log, WatchRequest } from '../../core/ports.ts';
import {
  type Around,
  aroundMethods,
  outcomeOf,
  outcomeOfDelivery,
  whenEnded,
  withMethods,
} from '../calls/around-methods.ts';
import { eachProvider } from '../calls/each-provider.ts';
import { isAbsent } from '../calls/optional-package.ts';
import { withTraceHeaders } from '../calls/trace-headers.ts';
import { missingPackages } from '../config/config-error.ts';

/** The packages that tracing needs. Without tracing they need not be installed. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
];

/**
 * Loads the packages by `require`: `import` reads each CommonJS file twice, and these have many. Returns `unknown`, so that
 * an app compiles against this folder without their types. Throws `ConfigError`, which names the setting, if one is absent.
 */
export const loadTracingPackages = (
  setting: string,
  load: (name: string) => unknown = createRequire(import.meta.url),
): Readonly<Record<'api' | 'resources' | 'sdk' | 'exporter', unknown>> => {
  try {
    const [api, resources, sdk, exporter] = PACKAGES.map((name) => load(name));
    return { api, resources, sdk, exporter };
  } catch (error) {
    throw isAbsent(error, '@opentelemetry/')
      ? missingPackages(setting, 'traces need packages', PACKAGES)
      : error;
  }
};

/** The parent span of a request. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

// W3C Trace Context, section 3.2: version, trace, span and flags. Version `ff` and ids of zeros alone are invalid. Only versions
// after `00` may have more behind the flags.
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` header; of its flags only `sampled` is kept. Undefined if malformed: then a new trace is started. */
export const readTraceParent = (header: unknown): TraceParent | undefined => {
  const [, version, traceId, spanId, flags, more] =
    TRACE_PARENT.exec(typeof header === 'string' ? header : '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
};

export const writeTraceParent = ({ traceId, spanId, traceFlags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** OpenTelemetry's `SpanExporter`. */
interface SpanExporter<Span> {
  export(spans: Span[], callback: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

/** The time between two lines of the log about one outage: shorter than the 15 minutes of the alert `GatehouseTracesLost`. */
const LOG_INTERVAL_MS = 600_000;

/** Logs while exports fail, and when they succeed again: the exporter itself logs nothing. Lost spans stay lost. */
const logLostSpans = <Span>(exporter: SpanExporter<Span>, log: Log): SpanExporter<Span> => {
  /** The time of the last `traces.lost`; undefined while exports succeed. */
  let loggedAt: number | undefined;
  return {
    export: (spans, callback) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.code === 0) {
          if (loggedAt !== undefined) log.info('traces.sent');
          loggedAt = undefined;
        } else if (loggedAt === undefined || now - loggedAt >= LOG_INTERVAL_MS) {
          log.warn('traces.lost', { count: spans.length });
          loggedAt = now;
        }
        callback(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};

export interface TracingSettings {
  /** The setting that turns traces on, for the error of a missing package. */
  readonly setting: string;
  /** Where spans are sent by OTLP over HTTP, in JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The version of the product. */
  readonly version: string;
}

/** Ports whose calls go to another service. */
export interface TracedPorts {
  readonly kms: Kms;
  readonly mailer: Mailer;
  readonly provider: BillingProvider;
  readonly providers: IdentityProviders;
  readonly rateSource: RateSource;
}

interface Packages {
  readonly api: typeof import('@opentelemetry/api');
  readonly resources: typeof import('@opentelemetry/resources');
  readonly sdk: typeof import('@opentelemetry/sdk-trace-base');
  readonly exporter: typeof import('@opentelemetry/exporter-trace-otlp-http');
}

/** The time for which the end of a process waits for the last spans. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Outcomes that are no error of the service: success, and refusals because of the caller's input. */
const NO_ERROR = new Set(['ok', 'sent', 'invalid', 'missing', 'conflict', 'forbidden', 'refused']);

/**
 * Spans for requests and for the calls that answer them, in the trace that a request came with (W3C Trace Context).
 * They carry routes, statuses and request ids: no path, address, user id or text of an error. Throws `ConfigError`
 * if a package is absent.
 */
export const openTracing = ({ setting, url, headers, serviceName, version }: TracingSettings, log: Log) => {
  const { api, sdk, resources, exporter } = loadTracingPackages(setting) as Packages;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const sender = new exporter.OTLPTraceExporter({ url, headers: { ...headers } });
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor(logLostSpans(sender, log))],
  });
  const tracer = provider.getTracer('gatehouse', version);
  const active = new AsyncLocalStorage<Context>();

  const parentOf = (requestHeaders: Readonly<Record<string, unknown>>): Context => {
    const parent = readTraceParent(requestHeaders.traceparent);
    if (parent === undefined) return ROOT_CONTEXT;
    const state =
      typeof requestHeaders.tracestate === 'string'
        ? { traceState: api.createTraceState(requestHeaders.tracestate) }
        : {};
    return trace.setSpanContext(ROOT_CONTEXT, { ...parent, ...state, isRemote: true });
  };

  const traceHeadersOf = (span: SpanContext): Readonly<Record<string, string>> => {
    const state = span.traceState?.serialize() ?? '';
    return { traceparent: writeTraceParent(span), ...(state === '' ? {} : { tracestate: state }) };
  };

  const end = (span: Span, outcome: string) => {
    span.setAttribute('gatehouse.outcome', outcome);
    if (!NO_ERROR.has(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  const spanAround =
    (dependency: string): Around =>
    (method, _args, call) => {
      const context = active.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(`${dependency}.${method}`, { kind: SpanKind.CLIENT }, context);
      const result = withTraceHeaders(traceHeadersOf(span.spanContext()), call);
      whenEnded(result, (ending) =>
        end(span, outcomeOf(ending, dependency === 'mail' ? outcomeOfDelivery : undefined)),
      );
      return result;
    };

  return {
    /** Adds a span to each call of the ports, a local KMS included. Methods that never call a service are not wrapped. */
    dependencies: ({ kms, mailer, provider: billing, providers, rateSource }: TracedPorts): TracedPorts => ({
      kms: withMethods(aroundMethods(kms, spanAround('kms')), { keyOf: (sealed) => kms.keyOf(sealed) }),
      mailer: aroundMethods(mailer, spanAround('mail')),
      provider: withMethods(aroundMethods(billing, spanAround('billing')), {
        rateLimitEndsInMs: () => billing.rateLimitEndsInMs(),
        readDelivery: (...args) => billing.readDelivery(...args),
        parseEvent: (delivery) => billing.parseEvent(delivery),
      }),
      providers: eachProvider(providers, (id) => aroundMethods(providers, spanAround(`oidc:${id}`))),
      rateSource: aroundMethods(rateSource, spanAround('rates')),
    }),
    /** Wraps an object store of another service. `list` has no span: its pages are read long after the call. */
    objects: (store: ObjectStore): ObjectStore =>
      withMethods(aroundMethods(store, spanAround('objects')), { list: () => store.list() }),
    /** Wraps a job: it belongs to no request's trace, even if a request woke it. */
    job: <T extends { run(fence: number): Promise<number> }>(job: T): T => ({
      ...job,
      run: (fence: number) => active.run(ROOT_CONTEXT, () => job.run(fence)),
    }),
    requests:
      (service: string): WatchRequest =>
      ({ method, requestId, headers: requestHeaders }) => {
        const attributes = {
          'http.request.method': method,
          'gatehouse.service': service,
          'gatehouse.request_id': requestId,
        };
        const span = tracer.startSpan(
          method,
          { kind: SpanKind.SERVER, attributes },
          parentOf(requestHeaders),
        );
        return {
          around: (answer) => active.run(trace.setSpan(ROOT_CONTEXT, span), answer),
          end: ({ route, status, code }) => {
            // `-`: no route matched.
            if (route !== '-') span.updateName(`${method} ${route}`);
            span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
            if (code !== undefined) span.setAttribute('gatehouse.code', code);
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    /** Sends the last spans; waits for a short time only. */
    close: async (): Promise<void> => {
      const deadline = wait(FLUSH_TIMEOUT_MS, undefined, { ref: false });
      // `logLostSpans` reports spans that the collector rejects.
      await Promise.race([provider.shutdown().catch(() => undefined), deadline]);
    },
  };
};
