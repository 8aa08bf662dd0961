import type { Complaints } from './complaints.ts';
import type { Values } from './settings.ts';
import type { BillingConfig, KeysFile, KmsConfig, TracingConfig } from './types.ts';

const awsCredentials = (values: Values, complaints: Complaints) => {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key } = values;
  if (id === undefined && key === undefined) return null;
  return {
    accessKeyId: complaints.need('AWS_ACCESS_KEY_ID', id, 'beside AWS_SECRET_ACCESS_KEY'),
    secretAccessKey: complaints.need('AWS_SECRET_ACCESS_KEY', key, 'beside AWS_ACCESS_KEY_ID'),
    sessionToken: values.AWS_SESSION_TOKEN ?? null,
  };
};

/** Only the chosen service's settings are asked for. */
export const assembleKms = (values: Values, complaints: Complaints, localKeys: () => KeysFile): KmsConfig => {
  if (values.KMS === 'aws') {
    return {
      kind: 'aws',
      keyId: complaints.need('AWS_KMS_KEY_ID', values.AWS_KMS_KEY_ID, 'with KMS=aws'),
      region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION ?? null,
      endpoint: values.AWS_ENDPOINT_URL_KMS ?? values.AWS_ENDPOINT_URL ?? null,
      credentials: awsCredentials(values, complaints),
    };
  }
  if (values.KMS === 'vault') {
    const need = (name: 'VAULT_ADDR' | 'VAULT_TOKEN' | 'VAULT_TRANSIT_KEY') =>
      complaints.need(name, values[name], 'with KMS=vault');
    return {
      kind: 'vault',
      address: need('VAULT_ADDR'),
      token: need('VAULT_TOKEN'),
      transitKey: need('VAULT_TRANSIT_KEY'),
    };
  }
  return { kind: 'local', keys: localKeys() };
};

/** OpenTelemetry's own word for a collector on the same machine. */
const COLLECTOR = 'http://localhost:4318';

/** Traces are kept where somebody says where to send them, or that they be sent to the usual place. */
export const assembleTracing = (values: Values): TracingConfig | null => {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_EXPORTER_OTLP_ENDPOINT: base } = values;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = values;
  if (exporter === 'none' || (exporter ?? base ?? own) === undefined) return null;
  const setting =
    own !== undefined
      ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
      : base !== undefined
        ? 'OTEL_EXPORTER_OTLP_ENDPOINT'
        : 'OTEL_TRACES_EXPORTER';
  return {
    setting,
    url: own ?? `${base ?? COLLECTOR}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: values.OTEL_SERVICE_NAME,
  };
};

const POLAR = { production: 'https://api.polar.sh/v1', sandbox: 'https://sandbox-api.polar.sh/v1' };

export const assembleBilling = (
  values: Values,
  complaints: Complaints,
  secretFile: string,
): BillingConfig => {
  const { BILLING: provider, WEBHOOK_SECRETS: given } = values;
  if (provider === 'none') return { provider };
  if (provider === 'sandbox') {
    if (values.NODE_ENV === 'production') complaints.add('BILLING', 'be none or polar in production');
    return { provider, webhookSecrets: given === undefined ? { madeIn: secretFile } : { given } };
  }
  const products = complaints.need('POLAR_PRODUCTS', values.POLAR_PRODUCTS, 'with BILLING=polar') || {};
  if (Object.keys(products).some((tier) => !values.TIERS.includes(tier))) {
    complaints.add('POLAR_PRODUCTS', 'name tiers of TIERS alone');
  }
  return {
    provider,
    accessToken: complaints.need('POLAR_ACCESS_TOKEN', values.POLAR_ACCESS_TOKEN, 'with BILLING=polar'),
    url: values.POLAR_URL ?? POLAR[values.POLAR_SERVER],
    products,
    webhookSecrets: complaints.need('WEBHOOK_SECRETS', given, 'with BILLING=polar') || [],
  };
};
