import { generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CallbackParams } from '../../core/accounts/providers/identity-provider.ts';
import { unawaited } from './unawaited.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A key pair with its id in the key set. */
export interface Pair {
  readonly kid: string;
  readonly alg: 'RS256' | 'ES256';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const makePair = (kid: string, alg: Pair['alg'] = 'RS256', modulusLength = 2048): Pair => ({
  ...{ kid, alg },
  ...(alg === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })),
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signed token with any header. `signature` replaces the valid signature. */
export const forge = (
  claims: unknown,
  { privateKey, kid, alg }: Pair,
  header: Fields = {},
  signature?: (input: string) => string,
): string => {
  const input = `${encode({ alg, kid, ...header })}.${encode(claims)}`;
  const validSignature = () =>
    signBytes('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
      'base64url',
    );
  return `${input}.${signature === undefined ? validSignature() : signature(input)}`;
};

export interface HostileProvider {
  readonly issuer: string;
  readonly pair: Pair;
  /** The requests so far. */
  readonly asked: { readonly path: string; readonly headers: Fields; readonly body: string }[];
  /** Members of the discovery document that replace the defaults; undefined leaves one out. */
  description: Fields;
  /** The key set, as JSON. */
  keys: unknown;
  /** Claims of the `id_token` that replace the defaults; undefined leaves one out. */
  claims: Fields;
  /** Members of the token endpoint's answer that replace the defaults; undefined leaves one out. */
  tokens: Fields;
  /** Makes the `id_token` of these claims. */
  idToken: (claims: Fields) => unknown;
  userInfo: unknown;
  /** Handlers that replace the provider's own, by path. */
  readonly instead: Map<string, RequestListener>;
  /** The callback parameters for an authorization URL, as an honest browser returns them. */
  meet(address: string): CallbackParams;
  close(): Promise<void>;
}

/** Made once, because generating a key pair is slow. */
const pair = makePair('key-1');

/**
 * A provider that is honest until a test changes its answers. It has no sign-in page; the user is always `subject-1`.
 */
export const openHostileProvider = async (clientId: string, clockAhead = 0): Promise<HostileProvider> => {
  let nonce = '';
  const answers: Readonly<Record<string, () => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: hostile.issuer,
      authorization_endpoint: `${hostile.issuer}/authorize`,
      token_endpoint: `${hostile.issuer}/token`,
      jwks_uri: `${hostile.issuer}/keys`,
      userinfo_endpoint: `${hostile.issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...hostile.description,
    }),
    '/token': () => {
      const now = Math.floor(Date.now() / 1_000) + clockAhead;
      const claims = {
        iss: hostile.issuer,
        ...{ sub: 'subject-1', aud: clientId, nonce, iat: now, exp: now + 600 },
        ...{ email: 'ada@example.com', email_verified: true },
        ...hostile.claims,
      };
      const tokens = { access_token: 'access', token_type: 'Bearer', id_token: hostile.idToken(claims) };
      return { ...tokens, ...hostile.tokens };
    },
    '/keys': () => hostile.keys,
    '/userinfo': () => hostile.userInfo,
  };

  const server = createServer(
    unawaited(async (request: IncomingMessage, response: ServerResponse) => {
      const { url: path = '', headers } = request;
      const body = await text(request);
      hostile.asked.push({ path, headers, body });
      const handler = hostile.instead.get(path);
      if (handler !== undefined) return handler(request, response);
      const answer = answers[path]?.();
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const hostile: HostileProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pair,
    asked: [],
    description: {},
    keys: {
      keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: pair.kid, alg: pair.alg, use: 'sig' }],
    },
    claims: {},
    tokens: {},
    idToken: (claims) => forge(claims, pair),
    userInfo: { sub: 'subject-1' },
    instead: new Map(),
    meet: (address) => {
      const { searchParams } = new URL(address);
      nonce = searchParams.get('nonce') ?? '';
      return [
        ['code', 'code-1'],
        ['state', searchParams.get('state') ?? ''],
        ['iss', hostile.issuer],
      ];
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return hostile;
};
