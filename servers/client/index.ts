import createClient, { type Client } from 'openapi-fetch';
import type { components as AccountsComponents, paths as AccountsPaths } from './accounts.generated.ts';
import type { components as MetadataComponents, paths as MetadataPaths } from './metadata.generated.ts';
import { type Fetch, makeSessionFetch, type OnProofNeeded, type ProofNeeded } from './session.ts';
import { memoryTokens, storedTokens, type TokenStore } from './tokens.ts';

export type { Locks, Storage, Tokens } from './tokens.ts';
export type { AccountsPaths, Fetch, MetadataPaths, OnProofNeeded, ProofNeeded, TokenStore };
export { memoryTokens, storedTokens };

/** What the account service answers, by name: `AccountsSchemas['Entitlement']`. */
export type AccountsSchemas = AccountsComponents['schemas'];
export type MetadataSchemas = MetadataComponents['schemas'];

export type AccountsClient = Client<AccountsPaths>;
export type MetadataClient = Client<MetadataPaths>;

export interface AccountsClientOptions {
  /** Where the account service is; empty in a page of the same origin. */
  readonly baseUrl: string;
  /** In place of the global one. */
  readonly fetch?: Fetch;
  /** Where the tokens of the session are kept; in memory when absent. */
  readonly tokens?: TokenStore;
  /** Called once when a refresh finds that the session is over. */
  readonly onLoggedOut?: () => void;
  /**
   * Called when a call needs a fresh proof of who the user is: ask for the password, post it to `/api/auth/reauthenticate`
   * and answer true, and the call is sent once more. Without it such a call is refused with 403.
   */
  readonly onProofNeeded?: OnProofNeeded;
}

export interface MetadataClientOptions {
  /** Where the metadata service is. */
  readonly baseUrl: string;
  /** `METADATA_SECRET`, or `INTERNAL_SECRET` where that is not set. Not for browsers. */
  readonly secret: string;
  readonly fetch?: Fetch;
}

const globalFetch: Fetch = (request) => fetch(request);

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

/** Members of a body that are files make it a form. */
const serialize = (body: unknown): string | FormData => {
  const members = Object.entries(Object(body));
  if (!members.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of members) form.set(name, value instanceof Blob ? value : String(value));
  return form;
};

/**
 * A client of the account service, typed by its OpenAPI document. It keeps the tokens of a login, sends the access token
 * with every call, and renews it when it is over: once, however many calls find out at the same time.
 */
export const createAccountsClient = ({
  baseUrl: given,
  fetch = globalFetch,
  tokens = memoryTokens(),
  onLoggedOut = () => undefined,
  onProofNeeded = () => false,
}: AccountsClientOptions): AccountsClient => {
  const baseUrl = withoutSlash(given);
  return createClient<AccountsPaths>({
    baseUrl,
    // A page cannot follow to another site: it is given the address of checkout and portal in the answer.
    headers: { Accept: 'application/json' },
    bodySerializer: serialize,
    fetch: makeSessionFetch({ baseUrl, fetch, tokens, onLoggedOut, onProofNeeded }),
  });
};

/** A client of the metadata service, typed by its OpenAPI document, for a server of yours. */
export const createMetadataClient = ({
  baseUrl,
  secret,
  fetch = globalFetch,
}: MetadataClientOptions): MetadataClient =>
  createClient<MetadataPaths>({
    baseUrl: withoutSlash(baseUrl),
    headers: { 'x-internal-secret': secret },
    fetch,
  });
