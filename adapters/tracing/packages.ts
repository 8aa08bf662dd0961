import { createRequire } from 'node:module';

/** The packages that tracing needs. Without tracing they need not be installed. */
export const TRACING_PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;

/** The packages for traces are not installed. */
export class MissingTracingPackages extends Error {
  override readonly name = 'MissingTracingPackages';
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';

/** The packages, whose types an app need not have to compile against this folder. */
export interface TracingPackages {
  readonly api: unknown;
  readonly resources: unknown;
  readonly sdk: unknown;
  readonly exporter: unknown;
}

/** Loads them, by `require`, since each has many files of CommonJS. Throws `MissingTracingPackages`. */
export const loadTracingPackages = (
  load: (name: string) => unknown = createRequire(import.meta.url),
): TracingPackages => {
  const need = (name: (typeof TRACING_PACKAGES)[number]): unknown => {
    try {
      return load(name);
    } catch (error) {
      throw isAbsent(error) ? new MissingTracingPackages() : error;
    }
  };
  const [api, resources, sdk, exporter] = TRACING_PACKAGES.map(need);
  return { api, resources, sdk, exporter };
};
