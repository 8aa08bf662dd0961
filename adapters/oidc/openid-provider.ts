import { createHash } from 'node:crypto';
import type {
  AuthorizationRequest,
  CallbackParams,
  IdentityProviders,
  ProviderIdentity,
} from '../../core/accounts/providers/identity-provider.ts';
import type { Clock } from '../../core/ports.ts';
import { readCallbackParams } from './callback-params.ts';
import { type Claims, emailOf, isVerified, nameOf, pictureOf } from './claims.ts';
import { makeDiscovery } from './discovery.ts';
import { objectIn, type Requests } from './http-requests.ts';
import { unverifiedClaims, verifyIdToken } from './id-token.ts';
import { makeKeySet } from './key-set.ts';
import type { Dialect } from './openid-dialect.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { invalidAnswer } from './refusal.ts';
import { requestTokens } from './token-request.ts';

/** One provider of the port `IdentityProviders`. Its calls throw `unavailable` and `Refusal`. */
export interface Provider {
  /** The issuer of a subject; undefined if this provider, with its present settings, accepts no such subject. */
  issuerOf(subject: string): string | undefined;
  begin(secrets: Parameters<IdentityProviders['begin']>[1]): ReturnType<IdentityProviders['begin']>;
  identify(callback: CallbackParams, request: AuthorizationRequest): Promise<ProviderIdentity>;
}

/** PKCE with S256 (RFC 7636), which is always sent, whatever the provider lists. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

export const addressWith = (endpoint: string, parameters: Readonly<Record<string, string>>): string => {
  const address = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
};

/** A provider of OpenID Connect with the authorization code flow. */
export const makeOpenIdProvider = (
  settings: Pick<ProviderSettings, 'id' | 'clientId' | 'scopes' | 'email'>,
  dialect: Dialect,
  deps: { readonly requests: Requests; readonly clock: Clock; readonly redirectUri: () => string },
): Provider => {
  const { requests, clock, redirectUri } = deps;
  const { id: provider, clientId, scopes } = settings;
  const discover = makeDiscovery(requests, {
    address: `${dialect.baseUrl.replace(/\/$/, '')}/.well-known/openid-configuration`,
    issuer: dialect.issuer,
  });
  const keysFor = makeKeySet(requests);

  /**
   * If the token has no email, adds the claims of userinfo. Those of the token win, but `email_verified` must be from the
   * source of the email.
   */
  const claimsWithEmail = async (claims: Claims, userInfo: string | null, accessToken: string) => {
    if (!dialect.asksUserInfo || claims.email !== undefined || userInfo === null) return claims;
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await requests.ask('person', userInfo, { headers });
    if (response.status !== 200) throw invalidAnswer('userinfo');
    const profile = objectIn(response, 'userinfo');
    if (profile.sub !== claims.sub) throw invalidAnswer('userinfo_sub');
    return { ...profile, ...claims, email: profile.email, email_verified: profile.email_verified };
  };

  return {
    issuerOf: dialect.issuerOfSubject,
    // `proof`: whether the provider must ask the person to sign in again.
    begin: async ({ state, nonce, verifier, proof }) => {
      const { authorizationEndpoint, issuer, prompts } = await discover();
      const { prompt, ...otherParameters } = dialect.proofParams;
      // A provider that does not list its prompts (null) may support this one.
      const isPromptSupported = prompt !== undefined && (prompts === null || prompts.includes(prompt));
      const address = addressWith(authorizationEndpoint, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri(),
        scope: scopes,
        state,
        nonce,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        ...(dialect.formPost && { response_mode: 'form_post' }),
        ...(proof && otherParameters),
        ...(proof && isPromptSupported && { prompt }),
      });
      return { address, issuer };
    },

    identify: async (callback, request) => {
      const description = await discover();
      // The settings named another issuer when the flow began.
      if (request.issuer !== description.issuer) throw invalidAnswer('issuer');
      const { code, params: form } = readCallbackParams(callback, {
        state: request.state,
        isIssuer: dialect.isIssuer,
        needsIssuer: description.answersWithIssuer,
      });
      const grant = { code, redirectUri: redirectUri(), verifier: request.verifier };
      const auth = dialect.clientAuth(description);
      const tokens = await requestTokens(requests, description.tokenEndpoint, grant, auth);
      const token = tokens.id_token;
      if (typeof token !== 'string') throw invalidAnswer('id_token');
      const issuer = dialect.issuerOf(unverifiedClaims(token));
      const { nonce, at: startedAt } = request;
      const expected = { issuer, clientId, nonce, startedAt, algorithms: description.algorithms };
      const verified = await verifyIdToken(token, expected, {
        clock,
        keysFor: (kid) => keysFor(description.keys, kid),
      });
      const claims = await claimsWithEmail(verified, description.userInfo, String(tokens.access_token));
      // `claims` has the same `sub`, but not its type.
      const person = dialect.personOf({ ...claims, sub: verified.sub }, form);
      const email = emailOf(claims.email);
      const { auth_time: authTime } = verified;
      // Somebody may remove `max_age` from the address; the token then lacks `auth_time` (OpenID Connect Core section 2).
      const isTimeNeeded = request.proof && dialect.proofParams.max_age !== undefined;
      if (isTimeNeeded && typeof authTime !== 'number') throw invalidAnswer('auth_time');
      const authenticatedAt = typeof authTime === 'number' ? authTime * 1_000 : null;
      // The result is sealed as JSON, which turns an infinite time into null: then the provider would count as one without times.
      if (authenticatedAt !== null && !Number.isFinite(authenticatedAt)) throw invalidAnswer('auth_time');
      return {
        provider,
        issuer,
        subject: person.subject,
        email,
        emailVerified: isVerified(settings.email, email, person.emailVerified),
        name: person.name === undefined ? nameOf(claims.name) : person.name,
        picture: pictureOf(claims.picture),
        authenticatedAt,
      };
    },
  };
};
