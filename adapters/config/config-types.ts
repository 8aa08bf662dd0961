import type { RelyingParty } from '../../core/accounts/ports.ts';
import type { RateLimits } from '../../core/rate-limits.ts';
import type { plain } from './all-settings.ts';
import type { ValuesOf } from './declare-setting.ts';
import type { KmsKind, kmsProviders } from './settings/keys.ts';
import type { apple, eachProvider, github, microsoft } from './settings/providers.ts';
import type { Secrets } from './value-kinds.ts';
import type { Bucket, Products } from './value-parsers.ts';

export type { KeysFile, Secrets } from './value-kinds.ts';
export type { Products, ScryptConfig, WebhookTarget } from './value-parsers.ts';

export type MailConfig =
  | { readonly provider: 'files'; readonly folder: string; readonly from: string }
  | {
      readonly provider: 'smtp';
      readonly url: string;
      readonly from: string;
      /** Whether mail may go without TLS to a host that is not loopback. */
      readonly plain: boolean;
    }
  | { readonly provider: 'sendgrid'; readonly apiKey: string; readonly url: string; readonly from: string };

export interface AwsConfig {
  /** Null: found in the usual places of AWS clients. */
  readonly region: string | null;
  /** Null: found in the usual places of AWS clients. */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string | null;
  } | null;
}

/** The chosen key management service, with its settings as `settings/keys.ts` has them. */
export type KmsConfig = {
  [Kind in KmsKind]: { readonly kind: Kind } & ValuesOf<(typeof kmsProviders)[Kind]> &
    (Kind extends 'aws' ? AwsConfig : unknown);
}[KmsKind];

/** A bucket for objects. */
export interface ObjectsConfig extends Bucket, AwsConfig {
  /** Null: the public endpoint of the region. */
  readonly endpoint: string | null;
}

export type BillingConfig =
  | { readonly provider: 'none' }
  | { readonly provider: 'sandbox'; readonly webhookSecrets: Secrets }
  | {
      readonly provider: 'polar';
      readonly accessToken: string;
      /** Base address, with `/v1`. */
      readonly url: string;
      readonly products: Products;
      readonly webhookSecrets: readonly string[];
    };

/** The settings of every provider, without secrets. */
interface AnyProvider
  extends Pick<
    ValuesOf<typeof eachProvider>,
    'clientId' | 'scopes' | 'auth' | 'email' | 'signUp' | 'picture'
  > {
  readonly id: string;
  readonly name: string;
}

interface WithSecret extends AnyProvider {
  readonly clientSecret: string;
}

/** A provider by its settings. Without a preset it is an OpenID Connect provider of the operator's choice. */
export type ProviderConfig =
  | (WithSecret & { readonly preset: null | 'gitlab'; readonly issuer: string })
  | (WithSecret & { readonly preset: 'google' })
  | (WithSecret & { readonly preset: 'github' } & ValuesOf<typeof github>)
  | (WithSecret & { readonly preset: 'microsoft' } & ValuesOf<typeof microsoft>)
  | (AnyProvider & { readonly preset: 'apple' } & ValuesOf<typeof apple>);

export interface SignInConfig {
  readonly providers: readonly ProviderConfig[];
  /** Where a sign-in flow may end. */
  readonly redirects: readonly string[];
}

/** Where Prometheus reads the metrics. */
export interface MetricsConfig {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
}

export interface ConsoleConfig {
  /** 0: a free port; null: no listener. */
  readonly port: number | null;
  readonly host: string;
  /** Null: it follows from host and port. */
  readonly url: string | null;
  /** A console session ends after this many minutes without use, and after this many hours in any case. */
  readonly idleMinutes: number;
  readonly hours: number;
}

/** Where spans are sent, and the name of the setting that turns this on. */
export interface TracingConfig {
  readonly setting: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

/**
 * All settings, parsed and checked, with their defaults; null for a setting with neither value nor default. Paths are absolute.
 * The members that are not named here have the key and the type of their row in `settings/`.
 */
export interface Config extends ValuesOf<typeof plain> {
  /** Whether only this machine reaches `host`. */
  readonly loopback: boolean;
  /** The file that keeps the issuer of access tokens; null when `PUBLIC_URL` is set, which is the issuer then. */
  readonly issuerFile: string | null;
  readonly mail: MailConfig;
  readonly kms: KmsConfig;
  /** Null: the store keeps the objects. */
  readonly objects: ObjectsConfig | null;
  readonly billing: BillingConfig;
  readonly rateLimits: RateLimits;
  /** Null: no metrics. */
  readonly metrics: MetricsConfig | null;
  /** Null: no traces. */
  readonly tracing: TracingConfig | null;
  readonly signIn: SignInConfig;
  /** Null: no passkeys. */
  readonly passkeys: RelyingParty | null;
  readonly console: ConsoleConfig;
  /** Which listeners answer the console's calls. */
  readonly adminRoutes: 'both' | 'console';
  /** Whether there are pages for people, and whether `PAGES` is set. */
  readonly pages: { readonly on: boolean; readonly isSet: boolean };
  /** The settings that are used, by name, as `config check` shows them: defaults filled in, secrets hidden. */
  readonly shown: Readonly<Record<string, string | number>>;
  /** The secrets that are set, by setting: the file that `NAME_FILE` names, or null if the value itself was given. */
  readonly secretSources: Readonly<Record<string, string | null>>;
  /** Warnings for the start to print, one line each. */
  readonly warnings: readonly string[];
}
