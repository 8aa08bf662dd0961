import type { IdentityProviders } from '../../core/accounts/providers/identity-provider.ts';
import { CoreError } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { apple } from './apple.ts';
import { makeGitHubProvider } from './github.ts';
import { makeRequests, type Requests, withinDeadline } from './http-requests.ts';
import { microsoft } from './microsoft.ts';
import type { Dialect } from './openid-dialect.ts';
import { makeOpenIdProvider, type Provider } from './openid-provider.ts';
import {
  BASE_URLS,
  type BaseUrls,
  type GoogleSettings,
  type OpenIdSettings,
  type ProviderSettings,
} from './provider-settings.ts';
import { logRefusals } from './refusal.ts';
import { bySecret } from './token-request.ts';

/** Standard OpenID Connect: Google, GitLab and any other conforming provider. */
const plainOpenId = (settings: OpenIdSettings | GoogleSettings, issuer: string): Dialect => ({
  issuer,
  baseUrl: issuer,
  formPost: false,
  // Makes the provider ask for a new sign-in. Google rejects `prompt=login`.
  proofParams: settings.preset === 'google' ? {} : { prompt: 'login', max_age: '0' },
  asksUserInfo: true,
  clientAuth: ({ authMethods }) => {
    const isPostOnly =
      authMethods.includes('client_secret_post') && !authMethods.includes('client_secret_basic');
    const how = settings.auth ?? (isPostOnly ? 'post' : 'basic');
    return bySecret(how, settings.clientId, settings.clientSecret);
  },
  issuerOf: () => issuer,
  issuerOfSubject: () => issuer,
  isIssuer: (candidate) => candidate === issuer,
  // Only the boolean `true`: some providers send other values for an unknown state.
  personOf: ({ sub, email_verified: verified }) => ({ subject: sub, emailVerified: verified === true }),
});

export interface OpenedProviders extends IdentityProviders {
  /** By id: returns false while the provider is down, as seen by the calls of this process. Makes no call. */
  readonly areUp: ReadonlyMap<string, () => boolean>;
  close(): void;
}

interface ProvidersDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** The redirect URI of a provider's callback. */
  readonly redirectUri: (id: string) => string;
  readonly baseUrls?: BaseUrls;
}

const dialectOf = (
  settings: Exclude<ProviderSettings, { readonly preset: 'github' }>,
  { clock, baseUrls = BASE_URLS }: ProvidersDeps,
) => {
  switch (settings.preset) {
    case 'google':
      return plainOpenId(settings, baseUrls.google);
    case 'microsoft':
      return microsoft(settings, baseUrls.microsoft);
    case 'apple':
      return apple(settings, baseUrls.apple, clock);
    default:
      return plainOpenId(settings, settings.issuer);
  }
};

const open = (settings: ProviderSettings, requests: Requests, deps: ProvidersDeps): Provider => {
  const redirectUri = () => deps.redirectUri(settings.id);
  return settings.preset === 'github'
    ? makeGitHubProvider(settings, { requests, redirectUri })
    : makeOpenIdProvider(settings, dialectOf(settings, deps), {
        requests,
        clock: deps.clock,
        redirectUri,
      });
};

/** Opens the providers of the settings. No request is made before the first sign-in. */
export const openIdentityProviders = (
  settingsList: readonly ProviderSettings[],
  deps: ProvidersDeps,
): OpenedProviders => {
  const entries = new Map(
    settingsList.map((settings) => {
      const requests = makeRequests({ id: settings.id, log: deps.log });
      return [settings.id, { requests, provider: open(settings, requests, deps) }] as const;
    }),
  );

  const callProvider = <T>(id: string, call: (provider: Provider) => Promise<T>): Promise<T> => {
    const entry = entries.get(id);
    if (entry === undefined)
      throw new CoreError('missing', 'provider_not_found', 'There is no such provider.');
    return logRefusals(id, deps.log, () => withinDeadline(call(entry.provider)));
  };

  return {
    list: settingsList.map(({ id, name, signUp, picture, preset }) => ({
      id,
      name,
      signUp,
      picture,
      // Apple alone sends the browser back by a form.
      formPost: preset === 'apple',
    })),
    issuerOf: (id, subject) => entries.get(id)?.provider.issuerOf(subject),
    begin: async (id, secrets) => callProvider(id, (provider) => provider.begin(secrets)),
    identify: async (id, callback, request) =>
      callProvider(id, (provider) => provider.identify(callback, request)),
    areUp: new Map([...entries].map(([id, { requests }]) => [id, requests.isUp])),
    close: () => {
      for (const { requests } of entries.values()) requests.close();
    },
  };
};
