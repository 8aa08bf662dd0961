import { until } from '../until.ts';
import { openStrictServer } from './strict-server.ts';

type Value = { readonly stringValue?: string; readonly intValue?: number };

/** A span of OTLP in JSON, with attributes by name. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

interface Keyed {
  readonly key: string;
  readonly value: Value;
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Keyed[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly Keyed[];
      })[];
    }[];
  }[];
}

const byName = (attributes: readonly Keyed[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** A collector that receives spans by OTLP over HTTP, in JSON. */
export const openOtlpReceiver = async () => {
  const server = await openStrictServer(({ method, path, headers }) =>
    method === 'POST' && path === '/v1/traces' && headers['content-type'] === 'application/json'
      ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' }
      : { status: 404 },
  );
  const sent = (): readonly Sent[] => server.requests.map(({ body }) => JSON.parse(body));
  const spans = (): readonly ReceivedSpan[] =>
    sent()
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
      .map((span) => ({ ...span, attributes: byName(span.attributes) }));
  return {
    server,
    url: server.url,
    spans,
    resources: () =>
      sent().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => byName(resource.attributes))),
    /** Waits for a span with that name. */
    span: async (name: string): Promise<ReceivedSpan> => {
      const find = () => spans().find((span) => span.name === name);
      await until(() => find() !== undefined);
      return find() as ReceivedSpan;
    },
    close: server.close,
  };
};

export type OtlpReceiver = Awaited<ReturnType<typeof openOtlpReceiver>>;
