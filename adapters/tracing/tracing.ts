import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Span, SpanContext } from '@opentelemetry/api';
import type { IdentityProviders, Mailer, ObjectStore } from '../../core/accounts/ports.ts';
import type { BillingProvider, RateSource } from '../../core/billing/ports.ts';
import type { Kms, Log, WatchRequest } from '../../core/ports.ts';
import { type Around, aroundMethods, whenEnded, withMethods } from '../calls/around-methods.ts';
import { eachProvider } from '../calls/each-provider.ts';
import { outcomeOf, outcomeOfDelivery } from '../calls/outcome.ts';
import { withTraceHeaders } from '../calls/trace-headers.ts';
import { sayWhenLost } from './exporter.ts';
import { loadTracingPackages, type TracingPackages } from './packages.ts';
import { readTraceParent, writeTraceParent } from './trace-parent.ts';

export interface TracingSettings {
  /** Where spans are sent by OTLP over HTTP, in JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of the product. */
  readonly version: string;
}

export interface Tracing {
  /** The same ports. Each call that leaves the process is a span of its own. */
  dependencies(ports: TracedPorts): TracedPorts;
  /** The same objects, kept by another service. */
  objects(store: ObjectStore): ObjectStore;
  /** The same job, in no request's trace, whatever woke it. */
  job<T extends { run(fence: number): Promise<number> }>(job: T): T;
  requests(service: string): WatchRequest;
  /** Sends what is left; waits no longer for it than a moment. */
  close(): Promise<void>;
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

/** Milliseconds that the end of a process waits for the last spans to be taken. */
const PATIENCE = 2_000;

const WELL = new Set(['ok', 'sent']);
/** Refusals of the caller's making: the service called did its part. */
const ANSWERED = new Set(['invalid', 'missing', 'conflict', 'forbidden', 'refused']);

/**
 * Spans for requests and for the calls that answer them, in the trace that a request came with (W3C Trace Context).
 * They carry routes, statuses and request ids: no path, address, user id or text of an error. Throws
 * `MissingTracingPackages`.
 */
export const openTracing = (
  { url, headers, serviceName, version }: TracingSettings,
  log: Log,
  packages: TracingPackages = loadTracingPackages(),
): Tracing => {
  const { api, sdk, resources, exporter } = packages as Packages;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const sender = new exporter.OTLPTraceExporter({ url, headers: { ...headers } });
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new sdk.BatchSpanProcessor(sayWhenLost(sender, log))],
  });
  const tracer = provider.getTracer('gatehouse', version);
  const active = new AsyncLocalStorage<Context>();

  const parentOf = (given: Readonly<Record<string, unknown>>): Context => {
    const parent = readTraceParent(given.traceparent);
    if (parent === undefined) return ROOT_CONTEXT;
    const state =
      typeof given.tracestate === 'string' ? { traceState: api.createTraceState(given.tracestate) } : {};
    return trace.setSpanContext(ROOT_CONTEXT, { ...parent, ...state, isRemote: true });
  };

  const carriedBy = (span: SpanContext): Readonly<Record<string, string>> => {
    const state = span.traceState?.serialize() ?? '';
    return { traceparent: writeTraceParent(span), ...(state === '' ? {} : { tracestate: state }) };
  };

  const end = (span: Span, outcome: string) => {
    span.setAttribute('gatehouse.outcome', outcome);
    if (!WELL.has(outcome) && !ANSWERED.has(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  const spanAround =
    (dependency: string): Around =>
    (method, _given, call) => {
      const context = active.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(`${dependency}.${method}`, { kind: SpanKind.CLIENT }, context);
      const result = withTraceHeaders(carriedBy(span.spanContext()), call);
      whenEnded(result, (ending) =>
        end(span, outcomeOf(ending, dependency === 'mail' ? outcomeOfDelivery : undefined)),
      );
      return result;
    };

  return {
    // Methods that stay inside the process have no span.
    dependencies: ({ kms, mailer, provider: billing, providers, rateSource }) => ({
      kms: withMethods(aroundMethods(kms, spanAround('kms')), { keyOf: (sealed) => kms.keyOf(sealed) }),
      mailer: aroundMethods(mailer, spanAround('mail')),
      provider: withMethods(aroundMethods(billing, spanAround('billing')), {
        restsFor: () => billing.restsFor(),
        readDelivery: (...given) => billing.readDelivery(...given),
        understand: (delivery) => billing.understand(delivery),
      }),
      providers: eachProvider(providers, (id) => aroundMethods(providers, spanAround(`oidc:${id}`))),
      rateSource: aroundMethods(rateSource, spanAround('rates')),
    }),
    // A list is read a page at a time, long after the call.
    objects: (store) =>
      withMethods(aroundMethods(store, spanAround('objects')), { list: () => store.list() }),
    job: (job) => ({ ...job, run: (fence: number) => active.run(ROOT_CONTEXT, () => job.run(fence)) }),
    requests:
      (service) =>
      ({ method, requestId, headers: given }) => {
        const attributes = {
          'http.request.method': method,
          'gatehouse.service': service,
          'gatehouse.request_id': requestId,
        };
        const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parentOf(given));
        return {
          around: (answer) => active.run(trace.setSpan(ROOT_CONTEXT, span), answer),
          end: ({ route, status, code }) => {
            if (route !== '-') span.updateName(`${method} ${route}`);
            span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
            if (code !== undefined) span.setAttribute('gatehouse.code', code);
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    close: async () => {
      const given = wait(PATIENCE, undefined, { ref: false });
      // What the collector does not take is told by the exporter.
      await Promise.race([provider.shutdown().catch(() => undefined), given]);
    },
  };
};
