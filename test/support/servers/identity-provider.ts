import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import type { CallbackParams } from '../../../core/accounts/providers/identity-provider.ts';
import { unawaited } from '../unawaited.ts';

export interface IdentityProviderOptions {
  readonly client: { readonly id: string; readonly secret: string };
  readonly redirectUri: string;
  /** The claims of every user, beside the subject. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether the `id_token` has these claims, or only the userinfo endpoint. */
  readonly claimsInToken?: boolean;
  /** Whether authorization responses have `iss`, and the discovery document says so; true by default. */
  readonly namesItself?: boolean;
  readonly algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
  readonly auth?: 'client_secret_basic' | 'client_secret_post';
  /** The path of its issuer. */
  readonly path?: string;
}

export interface TestIdentityProvider {
  readonly issuer: string;
  /** The paths that Gatehouse requested, without those of the browser. */
  readonly asked: string[];
  /** Opens the authorization URL in a browser, signs in as `subject`, and returns the callback parameters. */
  visit(address: string, subject?: string): Promise<CallbackParams>;
  /** Signs with a new key from now on, which is the only one in the key set. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

const SCOPED = { email: ['email', 'email_verified'], profile: ['name', 'picture'] };
const ofScopes = Object.values(SCOPED).flat();

const generateKey = async (alg: string, kid: string) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
};

const keys = new Map<string, ReturnType<typeof generateKey>>();

/** Reuses keys, because generating one is slow. */
const makeKey = (alg: string, kid: string) => {
  const key = keys.get(alg + kid) ?? generateKey(alg, kid);
  keys.set(alg + kid, key);
  return key;
};

const configurationOf = async (options: IdentityProviderOptions, kid: string): Promise<Configuration> => {
  const { algorithm = 'RS256', auth = 'client_secret_basic', claims = {}, claimsInToken = false } = options;
  return {
    clients: [
      {
        ...{
          client_id: options.client.id,
          client_secret: options.client.secret,
          redirect_uris: [options.redirectUri],
        },
        ...{ token_endpoint_auth_method: auth, id_token_signed_response_alg: algorithm },
      },
    ],
    jwks: { keys: [await makeKey(algorithm, kid)] },
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${options.path ?? ''}/log-in/${uid}` },
    conformIdTokenClaims: !claimsInToken,
    claims: { ...SCOPED, openid: ['sub', ...Object.keys(claims).filter((name) => !ofScopes.includes(name))] },
    clientAuthMethods: [auth],
    cookies: { keys: ['of this test alone'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    findAccount: async (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...claims }),
    }),
    // The provider asks for no consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
};

/** The fields of the form of a `form_post` response. */
const formIn = (page: string): CallbackParams =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
  );

/** A real OpenID Connect provider: node-oidc-provider in this process, over http on this machine. */
export const openIdentityProvider = async (
  options: IdentityProviderOptions,
): Promise<TestIdentityProvider> => {
  const { path = '', namesItself = true, redirectUri } = options;
  const asked: string[] = [];
  let subject = 'subject-1';
  let keyNumber = 0;
  let provider: Provider;
  let answer: ReturnType<Provider['callback']>;
  const server = createServer(
    unawaited(async (request: IncomingMessage, response: ServerResponse) => {
      const { url = '' } = request;
      Object.assign(request, { originalUrl: url, url: url.slice(path.length) });
      if (url.startsWith(`${path}/log-in/`)) {
        await provider.interactionFinished(request, response, { login: { accountId: subject } });
        return;
      }
      if (request.headers['user-agent'] === 'Gatehouse') asked.push(url);
      await answer(request, response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}${path}`;

  const rotateKeys = async () => {
    keyNumber += 1;
    provider = new Provider(issuer, await configurationOf(options, `key-${keyNumber}`));
    if (!namesItself) {
      provider.use(async (context, next) => {
        await next();
        if (context.path.endsWith('/.well-known/openid-configuration'))
          Reflect.deleteProperty(Object(context.body), 'authorization_response_iss_parameter_supported');
      });
    }
    answer = provider.callback();
  };
  await rotateKeys();

  return {
    ...{ issuer, asked, rotateKeys },
    visit: async (address, as = 'subject-1') => {
      subject = as;
      const jar = new Map<string, string>();
      let next = address;
      for (let step = 0; step < 10; step += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          jar.set(name, value);
        }
        const location = response.headers.get('location');
        const text = await response.text();
        if (location === null) return formIn(text);
        next = new URL(location, next).href;
        if (next.startsWith(redirectUri)) {
          return [...new URL(next).searchParams].filter(([name]) => namesItself || name !== 'iss');
        }
      }
      throw new Error('The authorization flow does not end.');
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
