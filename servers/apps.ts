import type { RequestListener } from 'node:http';
import type { Composition } from '../adapters/compose.ts';
import type { Config } from '../adapters/config.ts';
import { makeAccountsApp } from './accounts/app.ts';
import { makeMetadataApp } from './metadata/app.ts';
import type { PagesParts } from './pages/routes.ts';

export type ServiceName = 'accounts' | 'metadata';

/** A service as a request handler, without a server. */
export interface ServiceApp {
  callback(): RequestListener;
  /** Whether the service has the path, with any method. */
  readonly matches: (path: string) => boolean;
}

const lookOf = ({ productName, brandColour, supportUrl, termsUrl, privacyUrl }: Config) => ({
  ...{ productName, brandColour },
  ...{ supportUrl, termsUrl, privacyUrl },
});

const pagesOf = (config: Config, { origin, accounts }: Composition): PagesParts => ({
  product: config.productName,
  colour: config.brandColour,
  links: { support: config.supportUrl, terms: config.termsUrl, privacy: config.privacyUrl },
  signIn: () => ({
    providers: accounts.providers.list().map(({ id, name }) => ({ id, name })),
    passkeys: config.passkeys !== null,
  }),
  trial: config.production
    ? null
    : { mails: config.mail.provider === 'files' ? config.mail.folder : null, origin, console: null },
});

/** Creates a service from the settings and the composition. `closing` is aborted when it begins to shut down. */
export const makeServiceApp = (
  name: ServiceName,
  config: Config,
  composition: Composition,
  closing: AbortSignal,
): ServiceApp => {
  const parts = {
    https: config.publicUrl?.startsWith('https:') ?? false,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    limiter: composition.limiter,
    limits: config.rateLimits,
    hashKey: composition.hashKey,
    log: composition.log,
    accessLog: composition.log.access,
    watch: composition.watch(name),
    checks: composition.checks,
    version: composition.version,
    closing,
  };
  if (name === 'accounts')
    return makeAccountsApp({
      ...parts,
      accounts: composition.accounts,
      billing: composition.billing,
      sandbox: composition.sandbox,
      cookieOrigins:
        config.cookieSessions || config.pages.on
          ? () => config.cookieOrigins ?? [composition.origin()]
          : null,
      pages: config.pages.on ? pagesOf(config, composition) : null,
      origin: composition.origin,
      passkeys: config.passkeys !== null,
      look: { ...lookOf(config), signInPath: config.pages.on ? '/account/sign-in' : null },
      internalSecrets: composition.internalSecrets,
    });
  return makeMetadataApp({
    ...parts,
    files: composition.files,
    auth: config.metaAuth,
    internalSecrets: composition.metadataSecrets,
  });
};
