import { CoreError } from '../../errors.ts';

/** One answer for every reason, so that nobody learns whose a passkey is. */
export const invalidPasskey = () =>
  new CoreError('unauthenticated', 'invalid_passkey', 'The passkey was not accepted.');

export const noPasskey = () =>
  new CoreError('conflict', 'no_passkey', 'The account has no passkey for this.');

export const passkeysOff = () => new CoreError('missing', 'passkeys_off', 'There are no passkeys here.');
