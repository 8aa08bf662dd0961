import type { RequestListener } from 'node:http';
import type { Composition } from '../adapters/compose.ts';
import type { Config } from '../adapters/config.ts';
import { makeAccountsApp } from './accounts/app.ts';
import { makeMetadataApp } from './metadata/app.ts';

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
      cookieOrigins: config.cookieSessions ? () => config.cookieOrigins ?? [composition.origin()] : null,
      origin: composition.origin,
      passkeys: config.passkeys !== null,
      look: { ...lookOf(config), signInPath: null },
      internalSecrets: composition.internalSecrets,
    });
  return makeMetadataApp({
    ...parts,
    files: composition.files,
    auth: config.metaAuth,
    internalSecrets: composition.metadataSecrets,
  });
};
