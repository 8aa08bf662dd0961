import { requireArguments } from '../../core/check-arguments.ts';
import { OBJECT, object, oneOf, optional, TEXT } from '../../core/schema.ts';
import type { components, paths } from './accounts.generated.ts';
import type { TypedClient } from './fetch-types.ts';
import { makeTabStorageFinder, storeFlow, takeFlow } from './flow-slots.ts';
import {
  challengeOf,
  cleanAddressBar,
  newSecret,
  type SignInRefusal,
  UNKNOWN_STATE,
} from './provider-flow.ts';
import type { Storage } from './tokens.ts';

export interface PageSignInOptions {
  /** One of `SIGN_IN_REDIRECTS`: the address of this app that calls `completeSignIn`. */
  readonly returnTo: string;
  /** The page that opens. Default: `sign-in`. */
  readonly page?: 'sign-in' | 'sign-up';
  /** The user's languages for the pages, the preferred one first, such as `pl en`. */
  readonly languages?: string;
  /** Stores the code verifier. Default: `sessionStorage`, or the memory of a program that has none. */
  readonly storage?: Storage;
}

/** The result of a sign-in at the pages. It has either `data` or `error`. */
export type CompletedSignIn =
  | { readonly data: components['schemas']['LoggedIn']; readonly error?: never }
  | { readonly data?: never; readonly error: SignInRefusal };

/** Sign-in at the pages of the service, for an app of another origin. */
export interface PageSignIn {
  /** The address to navigate to. The browser comes back to `returnTo`, where `completeSignIn` finishes the sign-in. */
  signInUrl(options: PageSignInOptions): Promise<string>;
  /**
   * Signs this app in with the code in the address, such as `location`, and removes code and state from the address bar. Returns
   * undefined for an address without a code and a state.
   */
  completeSignIn(
    location: { readonly href: string },
    options?: Pick<PageSignInOptions, 'storage'>,
  ): Promise<CompletedSignIn | undefined>;
}

const STORAGE = optional(OBJECT);
const OPTIONS = object({
  returnTo: TEXT,
  page: optional(oneOf(['sign-in', 'sign-up'])),
  languages: optional(TEXT),
  storage: STORAGE,
});
const LOCATION = object({ href: TEXT });
const COMPLETE_OPTIONS = optional(object({ storage: STORAGE }));

/** A storage key apart from that of flows at providers, since both kinds of flow may return to the same address. */
const STORAGE_KEY = 'gatehouse-page-sign-in';

export const makePageSignIn = (client: TypedClient<paths>, baseUrl: string): PageSignIn => {
  const findTabStorage = makeTabStorageFinder();
  return {
    signInUrl: async (options) => {
      requireArguments([options], { options: OPTIONS });
      const { returnTo, page = 'sign-in', languages, storage = findTabStorage() } = options;
      const state = newSecret();
      const verifier = newSecret();
      const challenge = await challengeOf(verifier);
      storeFlow(storage, { state, verifier, purpose: 'login', returnTo }, STORAGE_KEY);
      const query = new URLSearchParams({
        return_to: returnTo,
        state,
        code_challenge: challenge,
        ...(languages !== undefined && { ui_locales: languages }),
      });
      return `${baseUrl}/account/${page}?${query}`;
    },
    completeSignIn: async (location, options) => {
      requireArguments([location, options], { location: LOCATION, options: COMPLETE_OPTIONS });
      const { storage = findTabStorage() } = options ?? {};
      const address = new URL(location.href);
      const code = address.searchParams.get('code');
      const state = address.searchParams.get('state');
      if (!code || !state) return undefined;
      cleanAddressBar(address);
      const { verifier, returnTo } = takeFlow(storage, state, STORAGE_KEY) ?? {};
      if (verifier === undefined || returnTo === undefined) return { error: UNKNOWN_STATE };
      const body = { code, codeVerifier: verifier, returnTo };
      const { data, error } = await client.POST('/api/auth/handover/redeem', { body });
      return error === undefined ? { data } : { error };
    },
  };
};
