import { type SettingContext, setting } from '../declare-setting.ts';
import { baseAddress, headers, host, oneOf, port, text, webAddress } from '../value-kinds.ts';

/** Whether traces are sent: as `OTEL_TRACES_EXPORTER` says, else if a setting names an address. */
export const exporterOf = (texts: SettingContext['texts']): 'otlp' | 'none' => {
  if (texts.OTEL_TRACES_EXPORTER !== undefined)
    return texts.OTEL_TRACES_EXPORTER === 'otlp' ? 'otlp' : 'none';
  const address = texts.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? texts.OTEL_EXPORTER_OTLP_ENDPOINT;
  return address === undefined ? 'none' : 'otlp';
};

export const monitoring = {
  /**
   * Separate port that serves `/metrics` in the Prometheus format, without authentication. 0 picks a free one; the
   * start prints it. Without it nothing is measured. It needs an optional package: `npm install --save-prod
   * prom-client`. Without the package the start ends with exit code 78 and names this command.
   */
  metricsPort: setting('METRICS_PORT', port),
  /** The address on which that port listens. */
  metricsHost: setting('METRICS_HOST', host, {
    default: '127.0.0.1',
    usedWith: 'METRICS_PORT',
  }),
  /** `otlp` sends traces, `none` does not, whatever else is set. */
  tracesExporter: setting('OTEL_TRACES_EXPORTER', oneOf('otlp', 'none'), {
    byDefault: '`otlp` where an address below is set, else `none`',
    orElse: ({ texts }) => exporterOf(texts),
  }),
};

export const traces = {
  /**
   * Base address of an OpenTelemetry collector that accepts OTLP over HTTP. `/v1/traces` is appended. Example:
   * `http://collector:4318`.
   */
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', baseAddress, {
    byDefault: '`http://localhost:4318`',
  }),
  /** The full address; it replaces `OTEL_EXPORTER_OTLP_ENDPOINT`. Example: `https://traces.example.com/v1/traces`. */
  tracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', webAddress),
  /**
   * Headers for the collector: `name=value` separated by commas, values percent-encoded. Example:
   * `Authorization=Basic%20…`.
   */
  tracesHeaders: setting('OTEL_EXPORTER_OTLP_HEADERS', headers),
  /** Service name in the traces. */
  serviceName: setting('OTEL_SERVICE_NAME', text('1 to 256 characters', /^\P{Cc}{1,256}$/u), {
    default: 'gatehouse',
  }),
};
