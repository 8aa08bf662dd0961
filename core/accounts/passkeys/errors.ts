import { CoreError, invalid } from '../../errors.ts';

/** An answer to a registration proves nothing secret, so its refusal is of the input. */
export const badPasskey = () => invalid('invalid_passkey', 'The passkey was not accepted.');

export const invalidFlow = () =>
  new CoreError('unauthenticated', 'invalid_flow', 'This beginning is unknown, was used, or has expired.');

export const passkeyTaken = () =>
  new CoreError('conflict', 'passkey_taken', 'An account has this passkey already.');

export const passkeyNotFound = () =>
  new CoreError('missing', 'passkey_not_found', 'The account has no such passkey.');

export const tooManyPasskeys = (most: number) =>
  new CoreError('conflict', 'too_many_passkeys', `An account may have at most ${most} passkeys.`);

export const lastSecondFactor = () =>
  new CoreError(
    'conflict',
    'last_second_factor',
    'This passkey is the only second factor: switch two-factor authentication off, or add another, first.',
  );
