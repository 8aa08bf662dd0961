import { join } from 'node:path';
import { plain } from './all-settings.ts';
import type {
  AwsConfig,
  BillingConfig,
  Config,
  KmsConfig,
  MailConfig,
  ObjectsConfig,
  ProviderConfig,
  SignInConfig,
  TracingConfig,
} from './config-types.ts';
import type { ParsedSettings } from './read-settings.ts';
import { aws } from './settings/aws.ts';
import { polar, provider, webhooks } from './settings/billing.ts';
import { console } from './settings/console.ts';
import { kms, kmsProviders } from './settings/keys.ts';
import { limits, rateLimitsOf } from './settings/limits.ts';
import { mail } from './settings/mail.ts';
import { monitoring, traces } from './settings/monitoring.ts';
import { objects, s3 } from './settings/object-storage.ts';
import { pages } from './settings/pages.ts';
import { passkeys } from './settings/passkeys.ts';
import { apple, forProvider, github, microsoft, presetOf, signIn } from './settings/providers.ts';
import { isLoopback } from './value-parsers.ts';

/** OpenTelemetry's default: a collector on the same machine. */
const COLLECTOR = 'http://localhost:4318';

// Each '' or [] below only satisfies the compiler: the check of a setting has already rejected what leads to it.

const mailOf = ({ valuesOf, context: { dataDir } }: ParsedSettings): MailConfig => {
  const { smtpUrl, smtpPlain, sendgridApiKey, sendgridUrl, mailFrom } = valuesOf(mail);
  const from = mailFrom ?? '';
  if (smtpUrl !== null) return { provider: 'smtp', url: smtpUrl, from, plain: smtpPlain !== null };
  if (sendgridApiKey !== null)
    return { provider: 'sendgrid', apiKey: sendgridApiKey, url: sendgridUrl, from };
  return { provider: 'files', folder: join(dataDir, 'mail'), from };
};

const awsOf = ({ valuesOf }: ParsedSettings): AwsConfig => {
  const { region, accessKeyId, secretAccessKey, sessionToken } = valuesOf(aws);
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null;
  return { region, credentials };
};

const objectsOf = (settings: ParsedSettings): ObjectsConfig | null => {
  const { objectsUrl } = settings.valuesOf(objects);
  // The values of `s3` come last: `S3_REGION`, which defaults to `AWS_REGION`, replaces the `region` of `awsOf`.
  return objectsUrl && { ...objectsUrl, ...awsOf(settings), ...settings.valuesOf(s3) };
};

// The compiler cannot infer that the kind and its settings belong together.
const kmsOf = (settings: ParsedSettings): KmsConfig => {
  const { kms: kind } = settings.valuesOf(kms);
  const access = kind === 'aws' ? awsOf(settings) : {};
  return { kind, ...access, ...settings.valuesOf(kmsProviders[kind]) } as KmsConfig;
};

const billingOf = ({ valuesOf }: ParsedSettings): BillingConfig => {
  const { billing } = valuesOf(provider);
  if (billing === 'none') return { provider: billing };
  const { webhookSecrets } = valuesOf(webhooks);
  if (billing === 'sandbox') return { provider: billing, webhookSecrets };
  const { polarAccessToken, polarUrl, polarProducts } = valuesOf(polar);
  return {
    provider: billing,
    accessToken: polarAccessToken,
    url: polarUrl,
    products: polarProducts,
    webhookSecrets: 'values' in webhookSecrets ? webhookSecrets.values : [],
  };
};

const tracingOf = ({ valuesOf }: ParsedSettings): TracingConfig | null => {
  if (valuesOf(monitoring).tracesExporter === 'none') return null;
  const { otlpEndpoint, tracesEndpoint, tracesHeaders, serviceName } = valuesOf(traces);
  const common = { headers: tracesHeaders ?? {}, serviceName };
  if (tracesEndpoint !== null) return { setting: traces.tracesEndpoint.name, url: tracesEndpoint, ...common };
  const setting = otlpEndpoint === null ? monitoring.tracesExporter : traces.otlpEndpoint;
  return { setting: setting.name, url: `${otlpEndpoint ?? COLLECTOR}/v1/traces`, ...common };
};

// The compiler cannot infer that a preset and its settings belong together.
const providerOf = ({ valuesOf }: ParsedSettings, id: string): ProviderConfig => {
  const preset = presetOf(id);
  const more =
    preset === undefined ? {} : valuesOf({ google: {}, gitlab: {}, apple, microsoft, github }[preset]);
  return { id, preset: preset ?? null, ...valuesOf(forProvider(id)), ...more } as ProviderConfig;
};

const signInOf = (settings: ParsedSettings): SignInConfig => {
  const { providerIds, redirects } = settings.valuesOf(signIn);
  return { providers: providerIds.map((id) => providerOf(settings, id)), redirects };
};

const passkeysOf = ({ valuesOf }: ParsedSettings): Config['passkeys'] => {
  const { passkeys: isOn, passkeyRpId, passkeyOrigins } = valuesOf(passkeys);
  return isOn ? { id: passkeyRpId ?? '', origins: passkeyOrigins } : null;
};

const consoleOf = ({ valuesOf }: ParsedSettings): Pick<Config, 'console' | 'adminRoutes'> => {
  const { consolePort, consoleHost, consoleUrl, consoleIdleMinutes, consoleHours, adminRoutes } =
    valuesOf(console);
  const port = consolePort === 'off' ? null : consolePort;
  const lifetime = { idleMinutes: consoleIdleMinutes, hours: consoleHours };
  return { console: { port, host: consoleHost, url: consoleUrl, ...lifetime }, adminRoutes };
};

/** Builds `Config` from the parsed settings: plain settings unchanged, the others grouped. */
export const buildConfig = (settings: ParsedSettings): Omit<Config, 'secretSources' | 'warnings'> => {
  const { valuesOf, context, shown } = settings;
  const { metricsPort, metricsHost } = valuesOf(monitoring);
  const values = valuesOf(plain);
  return {
    ...values,
    loopback: isLoopback(values.host),
    issuerFile: context.texts.PUBLIC_URL === undefined ? join(values.dataDir, 'issuer') : null,
    mail: mailOf(settings),
    kms: kmsOf(settings),
    objects: objectsOf(settings),
    billing: billingOf(settings),
    rateLimits: rateLimitsOf(valuesOf(limits)),
    metrics: metricsPort === null ? null : { host: metricsHost, port: metricsPort },
    tracing: tracingOf(settings),
    signIn: signInOf(settings),
    passkeys: passkeysOf(settings),
    ...consoleOf(settings),
    pages: { on: valuesOf(pages).pages, isSet: context.texts.PAGES !== undefined },
    shown,
  };
};
