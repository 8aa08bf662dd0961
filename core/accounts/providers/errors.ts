import { CoreError, invalid } from '../../errors.ts';

export const providerNotFound = () =>
  new CoreError('missing', 'provider_not_found', 'There is no such sign-in provider.');

export const flowLost = () =>
  invalid('flow_lost', 'This sign-in was started in another browser or has expired. Start again.');

export const invalidFlow = () =>
  new CoreError('unauthenticated', 'invalid_flow', 'This sign-in is unknown, was used, or has expired.');

export const invalidTicket = () =>
  new CoreError('unauthenticated', 'invalid_ticket', 'This link was used or has expired.');

export const signUpClosed = () =>
  new CoreError('forbidden', 'sign_up_closed', 'New accounts cannot be created with this provider.');

export const accountExists = (email: string, linkToken: string) =>
  new CoreError(
    'conflict',
    'account_exists',
    'An account with this email already exists. Sign in to it, then add this sign-in method.',
    { details: { email, linkToken } },
  );

export const identityTaken = () =>
  new CoreError('conflict', 'identity_taken', 'Another account already uses this identity.');

export const identityNotFound = () =>
  new CoreError('missing', 'identity_not_found', 'The account has no such identity.');

export const tooManyIdentities = (most: number) =>
  new CoreError('conflict', 'too_many_identities', `An account may have at most ${most} identities.`);

export const wrongAccount = () =>
  new CoreError('forbidden', 'wrong_account', 'The identity has another email than this account.');
