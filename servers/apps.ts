import type { RequestListener } from 'node:http';
import type { Composition } from '../adapters/compose.ts';
import type { Config } from '../adapters/config.ts';
import { makeAccountsApp } from './accounts/app.ts';
import { consoleCookiesOf, makeConsoleApp } from './console/app.ts';
import { consoleRoutes } from './console/routes.ts';
import { makeMetadataApp } from './metadata/app.ts';
import { type Brand, makeBrand } from './pages/branding.ts';
import type { PagesParts } from './pages/routes.ts';

export type ServiceName = 'accounts' | 'metadata' | 'console';

/** What is used of `makeApp`, whose own type would bring the types of all routes and of Koa into the published declarations. */
interface ServiceApp {
  callback(): RequestListener;
  readonly matches: (path: string) => boolean;
}

/** The state of the server around an app. */
export interface ServerState {
  /** Aborted when the server begins to shut down. */
  readonly closing: AbortSignal;
  /** The console's own origin; null where it has none, or its server does not listen yet. */
  readonly consoleOrigin: () => string | null;
}

/** The branding, as part of the configuration that the front reads in the browser. */
const pageBrandingOf = ({ productName, supportUrl, termsUrl, privacyUrl }: Config, { logo }: Brand) => ({
  product: productName,
  logo,
  links: { support: supportUrl, terms: termsUrl, privacy: privacyUrl },
});

const pagesOf = (
  config: Config,
  { origin, accounts }: Composition,
  { consoleOrigin }: ServerState,
  brand: Brand,
): PagesParts => {
  const mails = config.mail.provider === 'files' ? config.mail.folder : null;
  return {
    brand,
    returnAddresses: config.signIn.redirects,
    // Called for each page: where the system chooses the port, the origins are unknown until the servers listen.
    config: () => ({
      ...pageBrandingOf(config, brand),
      providers: accounts.providers.list().map(({ id, name }) => ({ id, name })),
      passkeys: config.passkeys !== null,
      trial: config.production ? null : { mails, origin: origin(), console: consoleOrigin() },
    }),
  };
};

const consolePagesOf = (
  config: Config,
  { origin }: Composition,
  consoleOrigin: () => string,
  brand: Brand,
): PagesParts => ({
  brand,
  returnAddresses: null,
  config: () => ({
    ...pageBrandingOf(config, brand),
    providers: [],
    passkeys: config.passkeys?.origins.includes(consoleOrigin()) ?? false,
    trial: null,
    console: {
      accounts: config.pages.on ? origin() : null,
      // A command to copy, which makes the first operator.
      grant: config.production ? null : 'npx --no gatehouse operator grant EMAIL founder',
      tiers: config.tiers,
    },
  }),
});

export const makeServiceApp = (
  name: ServiceName,
  config: Config,
  composition: Composition,
  serverState: ServerState,
): ServiceApp => {
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const front = name === 'console' ? 'console' : 'account';
  const brand = makeBrand(front, composition.brand, config.brandColour);
  const { productName, brandColour, supportUrl, termsUrl, privacyUrl } = config;
  // The branding of pages that the server itself writes, such as error pages.
  const branding = { productName, brandColour, supportUrl, termsUrl, privacyUrl, brand };
  const parts = {
    https,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    limiter: composition.limiter,
    limits: config.rateLimits,
    hashKey: composition.hashKey,
    log: composition.log,
    accessLog: composition.log.access,
    watch: composition.watch(name),
    checks: composition.checks,
    internalSecrets: composition.internalSecrets,
    version: composition.version,
    closing: serverState.closing,
  };
  const { accounts, billing, installation, log, origin } = composition;
  if (name === 'accounts')
    return makeAccountsApp({
      ...parts,
      accounts,
      billing,
      sandbox: composition.sandbox,
      cookieOrigins:
        config.cookieSessions || config.pages.on ? () => config.cookieOrigins ?? [origin()] : null,
      // `both`: the console's calls are answered here, too, for pages of this origin.
      console:
        config.adminRoutes === 'both'
          ? {
              routes: consoleRoutes({ accounts, billing, installation }),
              cookies: consoleCookiesOf({ accounts, consoleOrigin: origin, https, log }),
            }
          : null,
      pages: config.pages.on ? pagesOf(config, composition, serverState, brand) : null,
      origin,
      passkeys: config.passkeys !== null,
      brandRoutes: brand.routes,
      branding: { ...branding, signInPath: config.pages.on ? '/account/sign-in' : null },
    });
  if (name === 'console') {
    const consoleUrl = config.console.url;
    const consoleOrigin = () => serverState.consoleOrigin() ?? origin();
    return makeConsoleApp({
      ...parts,
      // Without a URL of its own the console is reached at `PUBLIC_URL`, or over plain http on its own port.
      https: consoleUrl === null ? https && config.console.port === null : consoleUrl.startsWith('https:'),
      accounts,
      billing,
      installation,
      consoleOrigin,
      brandRoutes: brand.routes,
      branding: { ...branding, signInPath: '/sign-in' },
      pages: consolePagesOf(config, composition, consoleOrigin, brand),
    });
  }
  return makeMetadataApp({
    ...parts,
    files: composition.files,
    auth: config.metaAuth,
    // Instead of those in `parts`: the service may have secrets of its own. If it has none, these are the same.
    internalSecrets: composition.metadataSecrets,
  });
};
