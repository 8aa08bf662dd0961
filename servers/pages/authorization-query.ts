import { invalid } from '../../core/index.ts';
import type { TypeOf } from '../../core/schema.ts';
import type { pageQuery } from './page-params.ts';

/** The page to which providers send the browser back. Its `state` belongs to a provider flow, not to an app. */
const CALLBACK_PATH = '/account/return';

/** The page that only answers authorization requests, so a visit without one is refused. */
const AUTHORIZATION_PATH = '/account/continue';

const STATE = /^[\x20-\x7e]{1,512}$/;
/** SHA-256 as base64url has 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Checks an authorization request before the page is shown. Nobody is redirected to an address that the settings lack,
 * not even with an error. Throws `invalid` (`invalid_return_to`, `invalid_state`, `invalid_challenge`).
 */
export const checkAuthorizationQuery = (
  path: string,
  query: TypeOf<typeof pageQuery>,
  addresses: readonly string[],
): void => {
  const { return_to: returnTo = '', state = '', code_challenge: challenge = '' } = query;
  const hasAppRequest = path !== CALLBACK_PATH && [returnTo, state, challenge].some((value) => value !== '');
  if (!hasAppRequest && path !== AUTHORIZATION_PATH) return;
  if (!addresses.includes(returnTo)) {
    throw invalid('invalid_return_to', 'SIGN_IN_REDIRECTS lacks the address in return_to.');
  }
  if (!STATE.test(state))
    throw invalid('invalid_state', 'state must have 1 to 512 printable ASCII characters.');
  if (!CHALLENGE.test(challenge)) {
    throw invalid('invalid_challenge', 'code_challenge must be SHA-256 of the verifier as base64url.');
  }
};
