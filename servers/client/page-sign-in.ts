import { OBJECT, oneOf, optional, record, requireArguments, TEXT } from '../../core/arguments.ts';
import type { components, paths } from './accounts.generated.ts';
import type { Storage } from './tokens.ts';
import { keepTrip, makeTabStorage, takeTrip } from './trip-slots.ts';
import { challengeOf, cleanAddress, newSecret, type SignInRefusal } from './trips.ts';
import type { TypedClient } from './types.ts';

export interface PageSignInOptions {
  /** One of `SIGN_IN_REDIRECTS`: the address of this app that calls `completeSignIn`. */
  readonly returnTo: string;
  /** The page to begin with. Default: the one to sign in. */
  readonly page?: 'sign-in' | 'sign-up';
  /** Languages of the pages, the best first, such as `pl en`. */
  readonly languages?: string;
  /** Keeps the secret half. Default: `sessionStorage`, or the memory of a program that has none. */
  readonly storage?: Storage;
}

/** What came of a sign-in at the pages. `data` is there unless `error` is. */
export type CompletedSignIn =
  | { readonly data: components['schemas']['LoggedIn']; readonly error?: never }
  | { readonly data?: never; readonly error: SignInRefusal };

/** Sign-in at the pages of the service, for an app elsewhere. */
export interface PageSignIn {
  /** The address to navigate to. It comes back to `returnTo`, where `completeSignIn` takes it up. */
  signInUrl(options: PageSignInOptions): Promise<string>;
  /**
   * Logs this app in by what came back to this address, such as `location`, and takes it out of the address bar. Undefined
   * for an address to which nothing came back.
   */
  completeSignIn(
    location: { readonly href: string },
    options?: Pick<PageSignInOptions, 'storage'>,
  ): Promise<CompletedSignIn | undefined>;
}

const STORAGE = optional(OBJECT);
const OPTIONS = record<PageSignInOptions>({
  returnTo: TEXT,
  page: optional(oneOf('sign-in', 'sign-up')),
  languages: optional(TEXT),
  storage: STORAGE,
});
const LOCATION = record<{ readonly href: string }>({ href: TEXT });
const COMPLETE_OPTIONS = optional(record<Pick<PageSignInOptions, 'storage'>>({ storage: STORAGE }));

/** Apart from trips to providers, which may come back to the same address. */
const NAME = 'gatehouse-page-sign-in';

const NOT_OURS: SignInRefusal = {
  code: 'state_unknown',
  message: 'This sign-in was not begun in this tab, or is over.',
};

export const makePageSignIn = (client: TypedClient<paths>, baseUrl: string): PageSignIn => {
  const tabStorage = makeTabStorage();
  return {
    signInUrl: async (options) => {
      requireArguments([options], { options: OPTIONS });
      const { returnTo, page = 'sign-in', languages, storage = tabStorage() } = options;
      const [state, verifier] = [newSecret(), newSecret()];
      const challenge = await challengeOf(verifier);
      keepTrip(storage, { state, verifier, purpose: 'login', returnTo }, NAME);
      const query = new URLSearchParams({
        ...{ return_to: returnTo, state, code_challenge: challenge },
        ...(languages !== undefined && { ui_locales: languages }),
      });
      return `${baseUrl}/account/${page}?${query}`;
    },
    completeSignIn: async (location, options) => {
      requireArguments([location, options], { location: LOCATION, options: COMPLETE_OPTIONS });
      const { storage = tabStorage() } = options ?? {};
      const address = new URL(location.href);
      const [code, state] = ['code', 'state'].map((name) => address.searchParams.get(name));
      if (!code || !state) return undefined;
      cleanAddress(address);
      const { verifier, returnTo } = takeTrip(storage, state, NAME) ?? {};
      if (verifier === undefined || returnTo === undefined) return { error: NOT_OURS };
      const body = { code, codeVerifier: verifier, returnTo };
      const { data, error } = await client.POST('/api/auth/handover/redeem', { body });
      return error === undefined ? { data } : { error };
    },
  };
};
