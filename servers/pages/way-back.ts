import { invalid } from '../../core/index.ts';

/** How an app sends people here, in the query: where they go back to, and what binds that to the app. */
export interface WayBack {
  readonly return_to?: string;
  readonly state?: string;
  readonly code_challenge?: string;
}

/** Here people come back from a provider, whose answer has a `state` of its own. */
const OWN_STATE = '/account/return';

/** Here nobody comes without an app. */
const FOR_APPS = '/account/continue';

const STATE = /^[\x20-\x7e]{1,512}$/;
/** 43 characters, as SHA-256 has as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Checks where a page is to send somebody back to, before it shows anything: nobody is sent to an address that the settings
 * lack, with an error either. Throws `invalid` (`invalid_return_to`, `invalid_state`, `invalid_challenge`).
 */
export const checkWayBack = (path: string, query: WayBack, addresses: readonly string[]): void => {
  const { return_to: returnTo = '', state = '', code_challenge: challenge = '' } = query;
  const isAsked = path !== OWN_STATE && [returnTo, state, challenge].some((one) => one !== '');
  if (!isAsked && path !== FOR_APPS) return;
  if (!addresses.includes(returnTo)) {
    throw invalid('invalid_return_to', 'SIGN_IN_REDIRECTS lacks the address in return_to.');
  }
  if (!STATE.test(state))
    throw invalid('invalid_state', 'state must have 1 to 512 printable ASCII characters.');
  if (!CHALLENGE.test(challenge)) {
    throw invalid('invalid_challenge', 'code_challenge must be SHA-256 of the verifier as base64url.');
  }
};
