import { requireArguments } from '../../core/check-arguments.ts';
import { OBJECT, optional } from '../../core/schema.ts';
import type { PasskeyCreationOptions, PasskeyCredential, PasskeyRequestOptions } from './passkeys.ts';
import * as passkeys from './passkeys.ts';

// For callers without types. The product's own pages call the unchecked functions, so that they load no schema.

/**
 * Creates a passkey in the browser from the `options` of `/api/auth/passkeys/begin`. Returns the `credential` for the next
 * request. Throws an `Error` if `hasPasskeys()` is false, and the browser's errors: `NotAllowedError` if the user cancels,
 * `InvalidStateError` if the device already has a passkey of the account.
 */
export const createPasskey = async (options: PasskeyCreationOptions): Promise<PasskeyCredential> => {
  requireArguments([options], { options: OBJECT });
  return passkeys.createPasskey(options);
};

/**
 * Asks the browser for a passkey with the `options` of a begin call. Returns the `credential` for the next request. `more` has
 * further members for `navigator.credentials.get()`, such as `{ mediation: 'conditional', signal }` for suggestions in a form.
 */
export const askPasskey = async (
  options: PasskeyRequestOptions,
  more: object = {},
): Promise<PasskeyCredential> => {
  requireArguments([options, more], { options: OBJECT, more: optional(OBJECT) });
  return passkeys.askPasskey(options, more);
};
