import createClient from 'openapi-fetch';
import type { paths } from './accounts.generated.ts';
import { type CookieSessionParts, makeCookieFetch } from './cookie-session.ts';
import { serialize, typed } from './typed.ts';
import type { TypedClient } from './types.ts';

/**
 * A client for pages of the service's own origin, whose session is a cookie: what `createAccountsClient` gives with
 * `session: 'cookie'`, without what keeps tokens and trips. So it is half as large.
 */
export const createPageClient = (parts: CookieSessionParts): TypedClient<paths> =>
  typed(
    createClient<paths>({
      // A page cannot follow a redirect to another site, so checkout and portal answer the address.
      headers: { Accept: 'application/json' },
      bodySerializer: serialize,
      credentials: 'same-origin',
      fetch: makeCookieFetch(parts),
    }),
  );
