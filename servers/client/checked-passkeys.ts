import { requireArguments } from '../../core/check-arguments.ts';
import { OBJECT, optional } from '../../core/schema.ts';
import type { PasskeyCreationOptions, PasskeyCredential, PasskeyRequestOptions } from './passkeys.ts';
import * as passkeys from './passkeys.ts';

// For callers without types. The product's own pages call the unchecked functions, so that they load no schema.

/**
 * Creates a passkey in the browser: takes `options` of `/api/auth/passkeys/begin` and returns `credential`. Throws an
 * `Error` where `hasPasskeys` is false, else as the browser does: `NotAllowedError` where the person cancels,
 * `InvalidStateError` where the device has a passkey already.
 */
export const createPasskey = async (options: PasskeyCreationOptions): Promise<PasskeyCredential> => {
  requireArguments([options], { options: OBJECT });
  return passkeys.createPasskey(options);
};

/**
 * Asks the browser for a passkey: takes `options` of a begin call and returns `credential`. `more` goes to
 * `navigator.credentials.get()`: `{ mediation: 'conditional', signal }` for suggestions in a form.
 */
export const askPasskey = async (
  options: PasskeyRequestOptions,
  more: object = {},
): Promise<PasskeyCredential> => {
  requireArguments([options, more], { options: OBJECT, more: optional(OBJECT) });
  return passkeys.askPasskey(options, more);
};
