import type { components, paths } from './accounts.generated.ts';
import { toBase64Url } from './base64url.ts';
import type { Storage } from './tokens.ts';
import { keepTrip, makeTabStorage, type TripPurpose, takeTrip } from './trip-slots.ts';
import type { Answered, TypedClient } from './types.ts';

type Schemas = components['schemas'];

export interface SignInOptions {
  /** One of `SIGN_IN_REDIRECTS`: the address of this app that calls `finish`. */
  readonly redirectUri: string;
  /** Keeps the secret half of the trip. Default: `sessionStorage`, or the memory of a program that has none. */
  readonly storage?: Storage;
}

/** A refusal, as the service words it: `account_exists` has `linkToken` and `email` beside it. */
export interface SignInRefusal {
  readonly code: string;
  readonly message: string;
  readonly linkToken?: string;
  readonly email?: string;
}

/** What came of a trip. `data` is there unless `error` is. */
export type FinishedSignIn =
  | {
      readonly purpose: 'login';
      readonly data: Schemas['LoggedIn'] | Schemas['LoginChallenge'] | Schemas['EmailRequired'];
      readonly error?: never;
    }
  | {
      readonly purpose: 'link';
      readonly data: { readonly oauthAccounts: readonly Schemas['OAuthAccount'][] };
      readonly error?: never;
    }
  | {
      readonly purpose: 'reauthenticate';
      readonly data: { readonly success: true; readonly freshUntil: string };
      readonly error?: never;
    }
  | {
      /** Null for a trip that this app has not begun. */
      readonly purpose: TripPurpose | null;
      readonly data?: never;
      readonly error: SignInRefusal;
    };

/** Sign-in with providers. Each trip ends at `redirectUri`, where `finish` takes it up. */
export interface SignIn {
  /** The address to navigate to for a login or a sign-up. Throws if the service does not have the provider. */
  begin(provider: string, options: SignInOptions): Promise<string>;
  /** Asks for a trip that adds an identity to the account: navigate to `data.url`. Needs a fresh proof. */
  link(
    provider: string,
    options: SignInOptions,
  ): Promise<Answered<paths['/api/auth/providers/{id}/link']['post'], undefined>>;
  /** Asks for a trip that proves once more who the user is: navigate to `data.url`. */
  reauthenticate(
    provider: string,
    options: SignInOptions,
  ): Promise<Answered<paths['/api/auth/reauthenticate/{provider}']['post'], undefined>>;
  /**
   * Ends the trip that came back to this address, such as `location`: takes code and state out of the address bar, and sends
   * the code. Undefined for an address to which no trip came back.
   */
  finish(
    location: { readonly href: string },
    options?: Pick<SignInOptions, 'storage'>,
  ): Promise<FinishedSignIn | undefined>;
}

export const newSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

export const challengeOf = async (verifier: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** Refusals that come with the address, in words of this client: the address is anybody's to write. */
const BROUGHT: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled at the provider.',
  provider_error: 'The provider reports a failure.',
  provider_unavailable: 'The provider does not answer; try again later.',
  provider_answer_invalid: 'The provider’s answer cannot be trusted.',
};

const brought = (error: string): SignInRefusal => {
  const code = Object.hasOwn(BROUGHT, error) ? error : 'provider_error';
  return { code, message: BROUGHT[code] ?? '' };
};

const NOT_OURS: SignInRefusal = {
  code: 'state_unknown',
  message: 'This sign-in was not begun in this tab, or is over.',
};

const OURS = ['code', 'state', 'error'];

/** The part of a page that shows its address; a program has none. */
interface Page {
  readonly history?: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, address: string): void;
  };
  readonly location?: { readonly href: string };
}

/** Takes what came back out of the address bar, so that neither the history nor the next page has it. */
export const cleanAddress = (address: { readonly href: string }): void => {
  const { history, location }: Page = Object(globalThis);
  if (history === undefined || location?.href !== address.href) return;
  const clean = new URL(address.href);
  for (const name of OURS) clean.searchParams.delete(name);
  history.replaceState(history.state, '', clean.href);
};

/** Sign-in with providers for a client of the account service, for callers that keep to its types. */
export const makeTrips = (client: TypedClient<paths>): SignIn => {
  const tabStorage = makeTabStorage();

  /** Makes the client's half of a trip. What is kept of it is kept under its state. */
  const makeHalf = async (options: SignInOptions, purpose: TripPurpose) => {
    const { redirectUri, storage = tabStorage() } = options;
    const [state, verifier] = [newSecret(), newSecret()];
    const body = { redirectUri, state, challenge: await challengeOf(verifier) };
    return { body, keep: () => keepTrip(storage, { state, verifier, purpose }) };
  };

  const send = async (code: string, verifier: string, purpose: TripPurpose): Promise<FinishedSignIn> => {
    const body = { code, verifier };
    if (purpose === 'link') {
      const { data, error } = await client.POST('/api/auth/providers/link/confirm', { body });
      return error === undefined ? { purpose, data } : { purpose, error };
    }
    if (purpose === 'reauthenticate') {
      const { data, error } = await client.POST('/api/auth/reauthenticate', { body });
      return error === undefined ? { purpose, data } : { purpose, error };
    }
    const { data, error } = await client.POST('/api/auth/providers/exchange', { body });
    return error === undefined ? { purpose, data } : { purpose, error };
  };

  return {
    begin: async (provider, options) => {
      const { body, keep } = await makeHalf(options, 'login');
      const { data, error } = await client.GET('/api/auth/providers');
      if (error !== undefined) throw new Error(error.message);
      const found = data.providers.find(({ id }) => id === provider);
      if (found === undefined) throw new Error(`There is no sign-in provider ${provider}.`);
      keep();
      const query = new URLSearchParams({ ...body, challengeMethod: 'S256' });
      return `${found.beginUrl}?${query}`;
    },
    link: async (provider, options) => {
      const { body, keep } = await makeHalf(options, 'link');
      const params = { path: { id: provider } };
      const answered = await client.POST('/api/auth/providers/{id}/link', { params, body });
      if (answered.data !== undefined) keep();
      return answered;
    },
    reauthenticate: async (provider, options) => {
      const { body, keep } = await makeHalf(options, 'reauthenticate');
      const params = { path: { provider } };
      const answered = await client.POST('/api/auth/reauthenticate/{provider}', { params, body });
      if (answered.data !== undefined) keep();
      return answered;
    },
    finish: async (location, options) => {
      const { storage = tabStorage() } = options ?? {};
      const address = new URL(location.href);
      const [code, state, error] = OURS.map((name) => address.searchParams.get(name));
      if (!state || (!code && !error)) return undefined;
      cleanAddress(address);
      const slot = takeTrip(storage, state);
      if (slot === undefined) return { purpose: null, error: NOT_OURS };
      const { purpose, verifier } = slot;
      return code ? send(code, verifier, purpose) : { purpose, error: brought(error ?? '') };
    },
  };
};
