import { CoreError, invalid } from '../../errors.ts';

/** For a registration, which proves no secret: the input is invalid, not the caller. */
export const badPasskey = () => invalid('invalid_passkey', 'The passkey was not accepted.');

export const invalidCeremony = () =>
  new CoreError('unauthenticated', 'invalid_flow', 'This request is unknown, was used, or has expired.');

export const passkeyTaken = () =>
  new CoreError('conflict', 'passkey_taken', 'This passkey is already in use.');

export const passkeyNotFound = () =>
  new CoreError('missing', 'passkey_not_found', 'The account has no such passkey.');

export const tooManyPasskeys = (most: number) =>
  new CoreError('conflict', 'too_many_passkeys', `An account may have at most ${most} passkeys.`);

export const lastSecondFactor = () =>
  new CoreError(
    'conflict',
    'last_second_factor',
    'This passkey is the only second factor: turn two-factor authentication off, or add another, first.',
  );

/** For a sign-in or a proof: one refusal for every reason, so that nobody learns whose passkey it is. */
export const invalidPasskey = () =>
  new CoreError('unauthenticated', 'invalid_passkey', 'The passkey was not accepted.');

export const noPasskey = () =>
  new CoreError('conflict', 'no_passkey', 'The account has no passkey for this.');

export const passkeysOff = () => new CoreError('missing', 'passkeys_off', 'Passkeys are turned off.');
