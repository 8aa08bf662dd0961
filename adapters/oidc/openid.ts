import { createHash } from 'node:crypto';
import type {
  IdentityProviders,
  ProviderIdentity,
  Trip,
  TripAnswer,
} from '../../core/accounts/ways-in/provider.ts';
import type { Clock } from '../../core/ports.ts';
import { type Claims, emailOf, isVerified, nameOf, pictureOf } from './claims.ts';
import type { Dialect } from './dialect.ts';
import { makeDiscovery } from './discovery.ts';
import { unverifiedClaims, verifyIdToken } from './id-token.ts';
import { makeKeySet } from './key-set.ts';
import { invalidAnswer } from './refusal.ts';
import { objectIn, type Requests } from './requests.ts';
import type { ProviderSettings } from './settings.ts';
import { requestTokens } from './token-request.ts';
import { readAnswer } from './trip-answer.ts';

/** One provider, as the port has all of them. Its calls throw `unavailable` and `Refusal`. */
export interface OneProvider {
  /** As of the port. */
  issuerOf(subject: string): string | undefined;
  begin(trip: Parameters<IdentityProviders['begin']>[1]): ReturnType<IdentityProviders['begin']>;
  identify(answer: TripAnswer, trip: Trip): Promise<ProviderIdentity>;
}

/** PKCE with S256 (RFC 7636), whatever the provider says that it knows. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

export const addressWith = (endpoint: string, parameters: Readonly<Record<string, string>>): string => {
  const address = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
};

/** A provider of OpenID Connect, by the code flow. */
export const makeOpenIdProvider = (
  settings: Pick<ProviderSettings, 'id' | 'clientId' | 'scopes' | 'email'>,
  dialect: Dialect,
  given: { readonly requests: Requests; readonly clock: Clock; readonly redirectUri: () => string },
): OneProvider => {
  const { requests, clock, redirectUri } = given;
  const { id: provider, clientId, scopes } = settings;
  const discover = makeDiscovery(requests, {
    address: `${dialect.place.replace(/\/$/, '')}/.well-known/openid-configuration`,
    issuer: dialect.issuer,
  });
  const keysFor = makeKeySet(requests);

  /** The claims with which the email comes: never an email of one source with the word of another about it. */
  const claimsWithEmail = async (claims: Claims, userInfo: string | null, accessToken: string) => {
    if (!dialect.asksUserInfo || claims.email !== undefined || userInfo === null) return claims;
    const answer = await requests.ask(userInfo, { headers: { Authorization: `Bearer ${accessToken}` } });
    if (answer.status !== 200) throw invalidAnswer('userinfo');
    const found = objectIn(answer, 'userinfo');
    if (found.sub !== claims.sub) throw invalidAnswer('userinfo_sub');
    return { ...found, ...claims, email: found.email, email_verified: found.email_verified };
  };

  return {
    issuerOf: dialect.issuerOfSubject,
    begin: async ({ state, nonce, verifier, proof }) => {
      const { authorizationEndpoint, issuer, prompts } = await discover();
      const { prompt, ...more } = dialect.proof;
      const asksAgain = prompt !== undefined && prompts?.includes(prompt) !== false;
      const address = addressWith(authorizationEndpoint, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri(),
        scope: scopes,
        ...{ state, nonce, code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
        ...(dialect.formPost && { response_mode: 'form_post' }),
        ...(proof && more),
        ...(proof && asksAgain && { prompt }),
      });
      return { address, issuer };
    },

    identify: async (answer, trip) => {
      const description = await discover();
      // The settings name another issuer than they did when the trip began.
      if (trip.issuer !== description.issuer) throw invalidAnswer('issuer');
      const { code, given: form } = readAnswer(answer, {
        state: trip.state,
        isIssuer: dialect.isIssuer,
        needsIssuer: description.answersWithIssuer,
      });
      const asked = { code, redirectUri: redirectUri(), verifier: trip.verifier };
      const auth = dialect.clientAuth(description);
      const { answer: told, tokens } = await requestTokens(requests, description.tokenEndpoint, asked, auth);
      const token = tokens.id_token;
      if (typeof token !== 'string') throw invalidAnswer('id_token');
      const issuer = dialect.issuerOf(unverifiedClaims(token));
      const { nonce, at: begun } = trip;
      const expected = { issuer, clientId, nonce, begun, algorithms: description.algorithms };
      const verified = await verifyIdToken(told, token, expected, {
        clock,
        keysFor: (kid) => keysFor(description.keys, kid),
      });
      const claims = await claimsWithEmail(verified, description.userInfo, String(tokens.access_token));
      const person = dialect.personOf({ ...claims, sub: verified.sub }, form);
      const email = emailOf(claims.email);
      const { auth_time: asked_at } = verified;
      return {
        ...{ provider, issuer, subject: person.subject, email },
        emailVerified: isVerified(settings.email, email, person.emailVerified),
        name: person.name === undefined ? nameOf(claims.name) : person.name,
        picture: pictureOf(claims.picture),
        authenticatedAt: typeof asked_at === 'number' ? asked_at * 1_000 : null,
      };
    },
  };
};
