import type { Clock } from '../../core/ports.ts';
import { isRecord } from '../files/json.ts';
import { type Claims, isText } from './claims.ts';
import { invalidAnswer, Refusal } from './refusal.ts';
import { type Answered, jsonIn } from './requests.ts';

/** Loaded with the first answer. */
const loadClient = () => import('openid-client');

/** Seconds by which clocks may differ. The library's own is 30. */
const TOLERANCE = 60;
/** No other is taken, whatever the provider lists: neither `none` nor an HMAC with a public key. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

export interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** When the trip began, epoch milliseconds. */
  readonly begun: number;
  /** Those that the provider lists. */
  readonly algorithms: readonly string[];
}

const part = (token: string, at: number): Claims => {
  const found = jsonIn(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString());
  return isRecord(found) ? found : {};
};

/** What a token says before anybody has checked it. */
export const unverifiedClaims = (token: string): Claims => part(token, 1);

/** Of the library's words for what is wrong, those that say which check it was. */
const reasonOf = (error: unknown): string => {
  const { cause } = error instanceof Error ? error : {};
  const facts = cause instanceof Error && isRecord(cause.cause) ? cause.cause : {};
  if (typeof facts.claim === 'string') return facts.claim;
  if ('signature' in facts) return 'signature';
  if ('candidates' in facts) return 'key';
  return 'header' in facts || 'alg' in facts ? 'algorithm' : 'id_token';
};

/**
 * Verifies the `id_token` in an answer of the token endpoint and gives its claims. Throws `Refusal`, and what `keysFor`
 * throws. openid-client does it, which makes no request of its own here: it is handed the answer and the keys.
 */
export const verifyIdToken = async (
  answer: Answered,
  token: string,
  expected: Expected,
  given: { readonly clock: Clock; keysFor(kid: string | undefined): Promise<readonly object[]> },
): Promise<Claims & { readonly sub: string }> => {
  const client = await loadClient();
  const { kid } = part(token, 0);
  const keys = await given.keysFor(typeof kid === 'string' ? kid : undefined);
  const now = given.clock.now();
  // Addresses that nobody asks: what the library would get there it is handed.
  const place = 'https://provider.invalid';
  const config = new client.Configuration(
    {
      issuer: expected.issuer,
      token_endpoint: `${place}/token`,
      jwks_uri: `${place}/keys`,
      id_token_signing_alg_values_supported: ALGORITHMS.filter((one) => expected.algorithms.includes(one)),
    },
    expected.clientId,
    { [client.clockSkew]: (now - Date.now()) / 1_000, [client.clockTolerance]: TOLERANCE },
    client.None(),
  );
  config[client.customFetch] = async (address) =>
    new Response(address.endsWith('/keys') ? JSON.stringify({ keys }) : answer.text, {
      headers: { 'Content-Type': 'application/json' },
    });
  config.timeout = undefined;
  // Without it the library trusts TLS alone, and checks no signature.
  client.enableNonRepudiationChecks(config);

  const seconds = now / 1_000;
  const { iat } = unverifiedClaims(token);
  const issued = typeof iat === 'number' ? iat : Number.NaN;
  const ahead = issued - seconds;
  const refuse = (reason: string) =>
    invalidAnswer(reason, ['iat', 'exp', 'nbf'].includes(reason) && !Number.isNaN(ahead) ? ahead : undefined);

  const claims = await client
    .authorizationCodeGrant(config, new URL(`${place}/?code=code`), {
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    })
    .then((tokens) => tokens.claims())
    .catch((error: unknown) => {
      throw error instanceof Refusal ? error : refuse(reasonOf(error));
    });
  if (claims === undefined) throw invalidAnswer('id_token');
  if (ahead > TOLERANCE || issued < expected.begun / 1_000 - TOLERANCE) throw refuse('iat');
  // A key is made of its UTF-8: two that are no text would have the same one.
  if (claims.sub === '' || claims.sub.length > 255 || !isText(claims.sub)) throw invalidAnswer('sub');
  return claims;
};
