import type { components, paths } from './accounts.generated.ts';
import { toBase64Url } from './base64url.ts';
import type { CallResult, TypedClient } from './fetch-types.ts';
import { type FlowPurpose, makeTabStorageFinder, storeFlow, takeFlow } from './flow-slots.ts';
import type { Storage } from './tokens.ts';

type Schemas = components['schemas'];

export interface SignInOptions {
  /** One of `SIGN_IN_REDIRECTS`: the address of this app that calls `finish`. */
  readonly redirectUri: string;
  /** Stores the code verifier. Default: `sessionStorage`, or the memory of a program that has none. */
  readonly storage?: Storage;
}

export interface FinishOptions extends Pick<SignInOptions, 'storage'> {
  /**
   * Asks the user for a code of the second factor, if a proof of identity needs one. Called again with `true` after a wrong
   * code. Return `undefined` to cancel. The proof must be complete within 60 seconds of the callback.
   */
  readonly askCode?: (wasWrong: boolean) => Promise<string | undefined>;
}

/** A refusal with the service's code and message. `account_exists` also has `linkToken` and `email`. */
export interface SignInRefusal {
  readonly code: string;
  readonly message: string;
  readonly linkToken?: string;
  readonly email?: string;
}

/** The result of a flow. It has either `data` or `error`. */
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
      /** Null for a flow that this app has not begun. */
      readonly purpose: FlowPurpose | null;
      readonly data?: never;
      readonly error: SignInRefusal;
    };

/** Sign-in with providers. Each flow ends at `redirectUri`, where `finish` completes it. */
export interface SignIn {
  /**
   * The address to navigate to for a sign-in or a sign-up. Throws if the service does not list this provider, or if its list cannot
   * be read.
   */
  begin(provider: string, options: SignInOptions): Promise<string>;
  /** Begins a flow that adds an identity to the account: navigate to `data.url`. Needs a fresh proof. */
  link(
    provider: string,
    options: SignInOptions,
  ): Promise<CallResult<paths['/api/auth/providers/{id}/link']['post'], undefined>>;
  /** Begins a flow that proves the user's identity again: navigate to `data.url`. */
  reauthenticate(
    provider: string,
    options: SignInOptions,
  ): Promise<CallResult<paths['/api/auth/reauthenticate/{provider}']['post'], undefined>>;
  /**
   * Completes the flow whose callback parameters are in the address, such as `location`: removes them from the address bar, and
   * exchanges the code. Returns undefined for an address without callback parameters.
   */
  finish(location: { readonly href: string }, options?: FinishOptions): Promise<FinishedSignIn | undefined>;
}

export const newSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

export const challengeOf = async (verifier: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** Messages for the error codes in a callback address. No text of the address is shown, since anybody can write an address. */
const CALLBACK_ERRORS: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled at the provider.',
  provider_error: 'The provider reports a failure.',
  provider_unavailable: 'The provider does not answer; try again later.',
  provider_answer_invalid: 'The provider’s answer cannot be trusted.',
};

const callbackRefusal = (error: string): SignInRefusal => {
  const code = Object.hasOwn(CALLBACK_ERRORS, error) ? error : 'provider_error';
  return { code, message: CALLBACK_ERRORS[code] ?? '' };
};

export const UNKNOWN_STATE: SignInRefusal = {
  code: 'state_unknown',
  message: 'This sign-in was started in another tab or has expired.',
};

/** The globals of a page that are used here. Programs outside browsers lack them. */
interface PageGlobals {
  readonly history?: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, address: string): void;
  };
  readonly location?: { readonly href: string };
}

/** Removes the callback parameters from the address bar, so that neither the history nor the next page has them. */
export const cleanAddressBar = (address: { readonly href: string }): void => {
  // `Object` changes only the type: not every platform declares these globals.
  const { history, location }: PageGlobals = Object(globalThis);
  if (history === undefined || location?.href !== address.href) return;
  const cleanUrl = new URL(address.href);
  for (const name of ['code', 'state', 'error']) cleanUrl.searchParams.delete(name);
  history.replaceState(history.state, '', cleanUrl.href);
};

/** `SignIn` with a function for web pages that have read the list of providers themselves. */
export interface Flows extends SignIn {
  /** The address to navigate to for a sign-in with the provider that the service lists with this `beginUrl`. */
  beginAt(beginUrl: string, options: SignInOptions): Promise<string>;
}

/** Sign-in with providers through a client of the account service. The functions do not check their arguments. */
export const makeFlows = (client: TypedClient<paths>): Flows => {
  const findTabStorage = makeTabStorageFinder();

  /** Prepares a flow: the body of the begin call, and a function that stores the verifier under the flow's state. */
  const prepareFlow = async (options: SignInOptions, purpose: FlowPurpose) => {
    const { redirectUri, storage = findTabStorage() } = options;
    const state = newSecret();
    const verifier = newSecret();
    const body = { redirectUri, state, challenge: await challengeOf(verifier) };
    return { body, store: () => storeFlow(storage, { state, verifier, purpose }) };
  };

  /** Proves the user's identity. Asks for a code of the second factor if one is needed, and again while the code is wrong. */
  const prove = async (
    flowCode: { readonly code: string; readonly verifier: string },
    options: FinishOptions,
    verificationCode?: string,
  ): Promise<FinishedSignIn> => {
    const purpose = 'reauthenticate';
    const body = { ...flowCode, ...(verificationCode && { verificationCode }) };
    const { data, error } = await client.POST('/api/auth/reauthenticate', { body });
    if (error === undefined) return { purpose, data };
    const wasWrong = error.code === 'invalid_two_factor_code';
    const nextCode =
      wasWrong || error.code === 'code_required' ? await options.askCode?.(wasWrong) : undefined;
    return nextCode === undefined ? { purpose, error } : prove(flowCode, options, nextCode);
  };

  const exchange = async (
    code: string,
    verifier: string,
    purpose: FlowPurpose,
    options: FinishOptions,
  ): Promise<FinishedSignIn> => {
    const body = { code, verifier };
    if (purpose === 'link') {
      const { data, error } = await client.POST('/api/auth/providers/link/confirm', { body });
      return error === undefined ? { purpose, data } : { purpose, error };
    }
    if (purpose === 'reauthenticate') return prove(body, options);
    const { data, error } = await client.POST('/api/auth/providers/exchange', { body });
    return error === undefined ? { purpose, data } : { purpose, error };
  };

  const beginAt = async (beginUrl: string, options: SignInOptions): Promise<string> => {
    const { body, store } = await prepareFlow(options, 'login');
    store();
    return `${beginUrl}?${new URLSearchParams({ ...body, challengeMethod: 'S256' })}`;
  };

  return {
    beginAt,
    begin: async (provider, options) => {
      const { data, error } = await client.GET('/api/auth/providers');
      // The error page of a proxy is not JSON: `error` is then its text, without a `message`.
      if (error !== undefined) throw new Error(error.message ?? error);
      const listedProvider = data.providers.find(({ id }) => id === provider);
      if (listedProvider === undefined) throw new Error(`There is no sign-in provider ${provider}.`);
      return beginAt(listedProvider.beginUrl, options);
    },
    link: async (provider, options) => {
      const { body, store } = await prepareFlow(options, 'link');
      const params = { path: { id: provider } };
      const result = await client.POST('/api/auth/providers/{id}/link', { params, body });
      if (result.data !== undefined) store();
      return result;
    },
    reauthenticate: async (provider, options) => {
      const { body, store } = await prepareFlow(options, 'reauthenticate');
      const params = { path: { provider } };
      const result = await client.POST('/api/auth/reauthenticate/{provider}', { params, body });
      if (result.data !== undefined) store();
      return result;
    },
    finish: async (location, options = {}) => {
      const { storage = findTabStorage() } = options;
      const address = new URL(location.href);
      const code = address.searchParams.get('code');
      const state = address.searchParams.get('state');
      const error = address.searchParams.get('error');
      if (!state || (!code && !error)) return undefined;
      cleanAddressBar(address);
      const slot = takeFlow(storage, state);
      if (slot === undefined) return { purpose: null, error: UNKNOWN_STATE };
      const { purpose, verifier } = slot;
      if (code) return exchange(code, verifier, purpose, options);
      return { purpose, error: callbackRefusal(error ?? '') };
    },
  };
};
