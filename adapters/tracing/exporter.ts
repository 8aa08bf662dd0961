import type { Log } from '../../core/ports.ts';

/** OpenTelemetry's `SpanExporter`. */
interface SpanExporter<Span> {
  export(spans: Span[], done: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

/** Says in the log when spans cannot be handed over any more, and when they can again: by itself it is silent. */
export const sayWhenLost = <Span>(exporter: SpanExporter<Span>, log: Log): SpanExporter<Span> => {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing) log.warn('traces.lost', { count: spans.length });
        if (!failed && failing) log.info('traces.sent');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
