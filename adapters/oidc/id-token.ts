import type { Clock } from '../../core/ports.ts';
import { isError } from '../calls/is-error.ts';
import { isRecord } from '../files/json.ts';
import type { Claims } from './claims.ts';
import { jsonIn } from './http-requests.ts';
import { invalidAnswer } from './refusal.ts';

/** The library's default is 30. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Only these are accepted, whatever the provider lists: neither `none` nor an HMAC with a public key. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

export interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** When the flow began, epoch milliseconds. */
  readonly startedAt: number;
  /** The algorithms that the provider lists. */
  readonly algorithms: readonly string[];
}

const readPart = (token: string, at: number): Claims => {
  const decoded = jsonIn(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString());
  return isRecord(decoded) ? decoded : {};
};

/** The claims of a token before its verification. */
export const unverifiedClaims = (token: string): Claims => readPart(token, 1);

/** The check that failed, by the details of the library's error. */
const reasonOf = (error: unknown): string => {
  const { cause } = isError(error) ? error : {};
  const facts = isError(cause) && isRecord(cause.cause) ? cause.cause : {};
  if (typeof facts.claim === 'string') return facts.claim;
  if ('signature' in facts) return 'signature';
  if ('candidates' in facts) return 'key';
  return 'header' in facts || 'alg' in facts ? 'algorithm' : 'id_token';
};

/**
 * Verifies an `id_token` and returns its claims. Throws `Refusal` and the errors of `keysFor`. Uses openid-client, which makes no
 * request itself: it gets the token and the keys from here.
 */
export const verifyIdToken = async (
  token: string,
  expected: Expected,
  deps: { readonly clock: Clock; keysFor(kid: string | undefined): Promise<readonly object[]> },
): Promise<Claims & { readonly sub: string }> => {
  const client = await import('openid-client');
  const { kid } = readPart(token, 0);
  const keys = await deps.keysFor(typeof kid === 'string' ? kid : undefined);
  const now = deps.clock.now();
  // Never requested: `customFetch` answers in place of these addresses.
  const baseUrl = 'https://provider.invalid';
  const config = new client.Configuration(
    {
      issuer: expected.issuer,
      token_endpoint: `${baseUrl}/token`,
      jwks_uri: `${baseUrl}/keys`,
      id_token_signing_alg_values_supported: ALGORITHMS.filter((algorithm) =>
        expected.algorithms.includes(algorithm),
      ),
    },
    expected.clientId,
    // The library reads the system's clock; with this skew it goes by `deps.clock`.
    { [client.clockSkew]: (now - Date.now()) / 1_000, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    client.None(),
  );
  // Only the token, which is verified: the library would refuse other members in a form that some providers send, such as a
  // `scope` that is a list.
  const tokens = { access_token: 'unused', token_type: 'bearer', id_token: token };
  config[client.customFetch] = async (address) =>
    Response.json(address.endsWith('/keys') ? { keys } : tokens);
  // No timer: `customFetch` answers at once.
  config.timeout = undefined;
  // Without this the library relies on TLS and checks no signature.
  client.enableNonRepudiationChecks(config);

  const { iat } = unverifiedClaims(token);
  const issued = typeof iat === 'number' ? iat : Number.NaN;
  // Seconds by which the provider's clock is ahead of ours, if the token is new; NaN without `iat`, which the library requires.
  const ahead = issued - now / 1_000;
  const refusalFor = (reason: string) => {
    const isAboutTime = ['iat', 'exp', 'nbf'].includes(reason) && !Number.isNaN(ahead);
    return invalidAnswer(reason, isAboutTime ? ahead : undefined);
  };

  // The code has been redeemed already, so any text stands for it: the answer to this grant is `tokens`.
  const claims = await client
    .authorizationCodeGrant(config, new URL(`${baseUrl}/?code=code`), {
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    })
    .then((verified) => verified.claims())
    .catch((error: unknown) => {
      throw refusalFor(reasonOf(error));
    });
  if (claims === undefined) throw invalidAnswer('id_token');
  const isOlderThanFlow = issued < expected.startedAt / 1_000 - CLOCK_TOLERANCE_SECONDS;
  if (ahead > CLOCK_TOLERANCE_SECONDS || isOlderThanFlow) throw refusalFor('iat');
  // The login key of an identity is a digest of the UTF-8 of `sub`: malformed strings would share a login key.
  if (claims.sub === '' || claims.sub.length > 255 || !claims.sub.isWellFormed()) throw invalidAnswer('sub');
  return claims;
};
