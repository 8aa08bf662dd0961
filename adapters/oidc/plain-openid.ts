import type { Dialect } from './dialect.ts';
import type { GoogleSettings, OpenIdSettings } from './settings.ts';
import { bySecret } from './token-request.ts';

/** OpenID Connect as it is written: Google, GitLab and whoever else keeps to it. */
export const plainOpenId = (settings: OpenIdSettings | GoogleSettings, issuer: string): Dialect => ({
  issuer,
  place: issuer,
  formPost: false,
  // Google refuses a trip with `prompt=login`.
  proof: settings.preset === 'google' ? {} : { prompt: 'login', max_age: '0' },
  asksUserInfo: true,
  clientAuth: ({ authMethods }) => {
    const isPostOnly =
      authMethods.includes('client_secret_post') && !authMethods.includes('client_secret_basic');
    const how = settings.auth ?? (isPostOnly ? 'post' : 'basic');
    return bySecret(how, settings.clientId, settings.clientSecret);
  },
  issuerOf: () => issuer,
  issuerOfSubject: () => issuer,
  isIssuer: (given) => given === issuer,
  // The boolean alone: other values are some provider's way to say that it does not know.
  personOf: ({ sub, email_verified: verified }) => ({ subject: sub, emailVerified: verified === true }),
});
