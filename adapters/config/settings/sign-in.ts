import { setting } from '../setting.ts';
import * as read from '../sign-in-parsers.ts';
import { reads } from '../value-kinds.ts';
import { arePagesOn } from './pages.ts';

/** The ids that the setting names; empty if its value is wrong. */
export const providersIn = ({
  OIDC_PROVIDERS,
}: Readonly<Record<string, string | undefined>>): readonly string[] =>
  (OIDC_PROVIDERS && read.providerIds(OIDC_PROVIDERS)) || [];

/** Apple redirects only to https addresses with a host name. */
const isPublicName = (address = ''): boolean =>
  /^https:\/\/[^/:[]*[a-z][^/:]*\.[^/:]+(?::\d+)?\/?$/i.test(address) &&
  !/^https:\/\/[\d.]+(?:[:/]|$)/.test(address);

export const signIn = {
  /**
   * External identity providers (OpenID Connect or OAuth 2.0): ids separated by commas, at most 10. `google`, `github`,
   * `apple`, `microsoft` and `gitlab` are known; any other id is an OpenID Connect provider of your choice. Each has
   * its own settings, [below](#for-each-provider). The address to register there is `PUBLIC_URL` with
   * `/api/auth/providers/ID/callback`. Example: `google,keycloak`.
   */
  providerIds: setting(
    'OIDC_PROVIDERS',
    reads(
      'at most 10 different ids separated by commas, each of small letters, digits and dashes, with a letter first',
      read.providerIds,
    ),
    {
      byDefault: 'none',
      orElse: () => [],
      check: (ids, { texts }) =>
        ids.includes('apple') &&
        !isPublicName(texts.PUBLIC_URL) &&
        'not name apple unless PUBLIC_URL is an https origin with a host name',
    },
  ),
  /**
   * The addresses of your apps at which a sign-in with a provider may end, separated by commas or line breaks, at most
   * 50. Each is compared as text, with its path: https, a scheme of an app such as `com.example.app:/done`, or http on
   * `127.0.0.1` or `[::1]` (not `localhost`), where an address without port stands for every port. Needed with
   * `OIDC_PROVIDERS`, unless `PAGES` is on: flows that the pages begin end there. Example:
   * `https://app.example.com/signed-in`.
   */
  redirects: setting(
    'SIGN_IN_REDIRECTS',
    reads(
      'at most 50 different addresses: https, a private scheme with a dot, or http on 127.0.0.1 or [::1]; without credentials, fragment, code, state and error',
      read.redirects,
    ),
    {
      byDefault: 'none',
      orElse: () => [],
      check: (list, place) =>
        list.length === 0 &&
        place.texts.OIDC_PROVIDERS !== undefined &&
        !arePagesOn(place) &&
        'be set with OIDC_PROVIDERS, unless PAGES is on',
    },
  ),
};
