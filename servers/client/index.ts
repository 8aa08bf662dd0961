import createClient, { type Client } from 'openapi-fetch';
import { requireArguments } from '../../core/check-arguments.ts';
import { CALL, constant, custom, object, optional, TEXT, withCalls } from '../../core/schema.ts';
import type { components as AccountsComponents, paths as AccountsPaths } from './accounts.generated.ts';
import { makePageSignIn, type PageSignIn } from './app-authorization.ts';
import { askPasskey, createPasskey } from './checked-passkeys.ts';
import { makeSignIn } from './checked-provider-flow.ts';
import { makeCookieFetch } from './cookie-session.ts';
import type { Fetch, TypedClient } from './fetch-types.ts';
import type { components as MetadataComponents, paths as MetadataPaths } from './metadata.generated.ts';
import { hasPasskeys } from './passkeys.ts';
import type { SignIn } from './provider-flow.ts';
import type { OnProofNeeded } from './refusals.ts';
import { serializeBody } from './serialize-body.ts';
import { makeSessionFetch } from './token-session.ts';
import { memoryTokens, storedTokens, type TokenStore } from './tokens.ts';

export type { CompletedSignIn, PageSignIn, PageSignInOptions } from './app-authorization.ts';
export type { FlowPurpose } from './flow-slots.ts';
export type { PasskeyCreationOptions, PasskeyCredential, PasskeyRequestOptions } from './passkeys.ts';
export type { FinishedSignIn, FinishOptions, SignIn, SignInOptions, SignInRefusal } from './provider-flow.ts';
export type { OnProofNeeded, ProofNeeded } from './refusals.ts';
export type { Locks, Storage, TokenStore, Tokens } from './tokens.ts';
export type { AccountsPaths, Fetch, MetadataPaths };
export { askPasskey, createPasskey, hasPasskeys, memoryTokens, storedTokens };

/** The schemas of the account service by name: `AccountsSchemas['Entitlement']`. */
export type AccountsSchemas = AccountsComponents['schemas'];
export type MetadataSchemas = MetadataComponents['schemas'];

export interface AccountsClient extends TypedClient<AccountsPaths>, PageSignIn {
  /** Sign-in with external identity providers. */
  readonly signIn: SignIn;
}

export type MetadataClient = TypedClient<MetadataPaths>;

export interface AccountsClientOptions {
  /** The address of the account service. Empty for pages of the same origin. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  /**
   * `cookie`: the browser keeps the session in an httpOnly cookie, and there are no tokens. For pages of the origin at which
   * the service is reached.
   */
  readonly session?: 'cookie';
  /** Where the session's tokens are kept. Default: in memory. */
  readonly tokens?: TokenStore;
  /** Called once when the session has ended: a refresh is refused, or the service refuses the session's cookie. */
  readonly onLoggedOut?: () => void;
  /**
   * Called when a call needs a fresh proof of identity. Ask for the password, post it to `/api/auth/reauthenticate` and
   * return true: the call is then repeated. Without this function such a call fails with 403.
   */
  readonly onProofNeeded?: OnProofNeeded;
}

export interface MetadataClientOptions {
  /** The address of the metadata service. */
  readonly baseUrl: string;
  /** `METADATA_SECRET`, or `INTERNAL_SECRET` if that is not set. Not for browsers. */
  readonly secret: string;
  readonly fetch?: Fetch;
}

const ACCOUNTS_OPTIONS = object({
  baseUrl: TEXT,
  fetch: optional(CALL),
  session: optional(constant('cookie')),
  tokens: optional(withCalls('get', 'set', 'alone')),
  onLoggedOut: optional(CALL),
  onProofNeeded: optional(CALL),
});
const METADATA_OPTIONS = object({
  baseUrl: TEXT,
  // Visible ASCII except the comma, which separates values in the settings. Checked here, since the platform's error about an
  // invalid header value would show the secret.
  secret: custom<string>(
    'one value of METADATA_SECRET or INTERNAL_SECRET',
    (value) => typeof value === 'string' && /^[!-+\--~]+$/.test(value.trim()),
  ),
  fetch: optional(CALL),
});

type UntypedCall = (
  path: never,
  init?: never,
) => Promise<{ readonly error?: unknown; readonly response: Response }>;

/** Adds an `error` to a refusal without a body, such as one by a proxy: callers recognise a refusal by its `error`. */
const withError =
  (call: UntypedCall): UntypedCall =>
  async (path, init) => {
    const result = await call(path, init);
    if (result.response.ok || result.error) return result;
    return { ...result, error: `The answer has the status ${result.response.status} and no body.` };
  };

/** The compiler cannot compare the generic calls of openapi-fetch with those of `fetch-types.ts`, which are equal for each path. */
const toTypedClient = <Paths extends object>(client: Client<Paths>): TypedClient<Paths> => {
  const { GET, POST, PATCH, DELETE } = client as unknown as Readonly<
    Record<keyof TypedClient<Paths>, UntypedCall>
  >;
  const calls = {
    GET: withError(GET),
    POST: withError(POST),
    PATCH: withError(PATCH),
    DELETE: withError(DELETE),
  };
  return { ...client, ...calls } as unknown as TypedClient<Paths>;
};

const globalFetch: Fetch = (request) => fetch(request);

const withoutTrailingSlashes = (url: string) => url.replace(/\/+$/, '');

/**
 * A client of the account service, typed by its OpenAPI document. It keeps the tokens of a sign-in and sends the access token
 * with every call. When the access token has expired, the calls that find it expired share one renewal. With
 * `session: 'cookie'` the browser keeps the session, and the client has no tokens.
 */
export const createAccountsClient = (options: AccountsClientOptions): AccountsClient => {
  requireArguments([options], { options: ACCOUNTS_OPTIONS });
  const {
    baseUrl: baseUrlOption,
    fetch = globalFetch,
    session,
    tokens = memoryTokens(),
    onLoggedOut = () => undefined,
    onProofNeeded = () => false,
  } = options;
  const baseUrl = withoutTrailingSlashes(baseUrlOption);
  const client = toTypedClient(
    createClient<AccountsPaths>({
      baseUrl,
      // A page cannot follow a redirect to another site, so checkout and portal return the address as JSON.
      headers: { Accept: 'application/json' },
      bodySerializer: serializeBody,
      credentials: 'same-origin',
      fetch:
        session === 'cookie'
          ? makeCookieFetch({ fetch, onLoggedOut, onProofNeeded })
          : makeSessionFetch({ baseUrl, fetch, tokens, onLoggedOut, onProofNeeded }),
    }),
  );
  return { ...client, ...makePageSignIn(client, baseUrl), signIn: makeSignIn(client) };
};

/** A client of the metadata service, typed by its OpenAPI document, for your own servers. */
export const createMetadataClient = (options: MetadataClientOptions): MetadataClient => {
  requireArguments([options], { options: METADATA_OPTIONS });
  const { baseUrl, secret, fetch = globalFetch } = options;
  return toTypedClient(
    createClient<MetadataPaths>({
      baseUrl: withoutTrailingSlashes(baseUrl),
      headers: { 'x-internal-secret': secret.trim() },
      fetch,
    }),
  );
};
