import type { Deps } from '../deps.ts';
import type { Proof } from '../session.ts';
import { makeSingleUseTokens } from '../single-use-token.ts';

/** What an authorization code stands for. */
export interface AuthorizationGrant extends Proof {
  readonly userId: string;
  /** The session that authorized the app, which must still be live. */
  readonly givenBy: string;
  /** The id of the session that the code opens: fixed in advance, so that a second use can end that session. */
  readonly opens: string;
  readonly returnTo: string;
  /** SHA-256 of the app's code verifier, as base64url (RFC 7636). */
  readonly challenge: string;
  /** The account's session version. A change of it, as with the password, voids the code. */
  readonly epoch: number;
  /** The client address of the browser that authorized the app. */
  readonly address: string;
}

/** Issues and redeems authorization codes for apps. `handover` is an earlier name: codes of older versions are sealed with it. */
export const makeAuthorizationCodes = (deps: Deps) =>
  makeSingleUseTokens<AuthorizationGrant>(deps, (id) => `handover:${id}`);
