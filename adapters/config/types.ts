/** Secrets that were set, or the file of `DATA_DIR` in which the first start makes one. */
export type Secrets = { readonly given: readonly string[] } | { readonly madeIn: string };

/** A key file that was named and is there, or one that the first start makes. */
export interface KeysFile {
  readonly path: string;
  readonly made: boolean;
}

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

export type KmsConfig =
  | { readonly kind: 'local'; readonly keys: KeysFile }
  | {
      readonly kind: 'aws';
      readonly keyId: string;
      readonly region: string | null;
      readonly endpoint: string | null;
      /** Null: found in the other usual places of AWS clients. */
      readonly credentials: {
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly sessionToken: string | null;
      } | null;
    }
  | { readonly kind: 'vault'; readonly address: string; readonly token: string; readonly transitKey: string };

/** The provider's product ids by tier and billing cycle. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

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

/** scrypt: N = 2^ln, block size r, parallelisation p (RFC 7914). */
export interface ScryptConfig {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** Where Prometheus reads the metrics. */
export interface MetricsConfig {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/** Where spans are sent, and by which of the settings. */
export interface TracingConfig {
  readonly setting: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

/** All settings, checked, with their defaults. Paths are absolute. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  /** Whether `host` can be reached from this machine alone. */
  readonly loopback: boolean;
  /** 0: a free one. */
  readonly accountsPort: number;
  readonly metadataPort: number;
  /** An origin. Null when it follows from a port that is free until the accounts server listens. */
  readonly publicUrl: string | null;
  /** The file that keeps the issuer of access tokens; null where `PUBLIC_URL` is set, which is the issuer then. */
  readonly issuerFile: string | null;
  readonly dataDir: string;
  /** Null: the embedded store in `dataDir`. */
  readonly mongodbUrl: string | null;
  /** Null: cache and limiter in `dataDir`. */
  readonly redisUrl: string | null;
  readonly mail: MailConfig;
  readonly internalSecrets: Secrets;
  /** The metadata service's own; null: it takes `internalSecrets`. */
  readonly metadataSecrets: readonly string[] | null;
  readonly hashKeys: Secrets;
  readonly signingKeys: KeysFile;
  readonly tokenAudience: string;
  readonly productName: string;
  readonly kms: KmsConfig;
  readonly billing: BillingConfig;
  /** Null: a small page under the public URL. */
  readonly checkoutSuccessUrl: string | null;
  readonly billingReturnUrl: string | null;
  /** Scheme and host of the exchange rate's source. */
  readonly nbpUrl: string;
  /** Złoty for a dollar, before the first good answer. */
  readonly usdPlnFallback: number;
  readonly tiers: readonly string[];
  readonly selfEntitlement: 'trust' | 'ignore' | 'reject';
  readonly metaAuth: 'none' | 'secret';
  /** `builtin`, `off`, or the path of a file. */
  readonly passwordBlocklist: string;
  /** Addresses and CIDRs. */
  readonly trustedProxies: readonly string[];
  /** Connections of one client address that may wait for a request head. */
  readonly maxOpenHeads: number;
  readonly corsOrigins: readonly string[];
  /** Calls in 60 s. */
  readonly rateLimits: Readonly<
    Record<'register' | 'verify' | 'resend' | 'login' | 'health' | 'default', number>
  >;
  readonly syncLimitBytes: number;
  readonly scrypt: ScryptConfig;
  readonly hashWorkers: number;
  readonly hashQueue: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenDays: number;
  readonly sessionMaxDays: number;
  readonly refreshGraceSeconds: number;
  readonly reauthSeconds: number;
  readonly operatorsNeed2fa: boolean;
  readonly workers: number;
  readonly logLevel: string;
  /** Null: none are taken. */
  readonly metrics: MetricsConfig | null;
  /** Null: none are kept. */
  readonly tracing: TracingConfig | null;
  /** The secrets that were set, by setting: the file that was named for it, or null for one given as its value. */
  readonly givenSecrets: Readonly<Record<string, string | null>>;
  /** What a start should say about these settings, one line each. */
  readonly warnings: readonly string[];
}
