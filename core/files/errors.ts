import { CoreError, invalid, unavailable } from '../errors.ts';

export const fileNotFound = () => new CoreError('missing', 'not_found', 'There is no such file.');

export const userNotFound = () =>
  new CoreError('missing', 'user_not_found', 'The user has neither an account nor a file.');

export const invalidFile = (message: string) => invalid('invalid_request', message);

export const invalidDek = () =>
  invalid(
    'invalid_dek',
    'The data key must be 32 bytes: base64 or base64url of them, 64 hex digits, or 32 printable ASCII characters.',
  );

export const invalidEncDek = () =>
  invalid('invalid_enc_dek', 'The wrapped data key was not wrapped here for this context.');

export const limitExceeded = (bytes: number) =>
  invalid('limit_exceeded', `The entries would take more than ${bytes} bytes; nothing was synced.`);

export const cacheUnavailable = () =>
  unavailable('cache_unavailable', 'The cache cannot be reached; try again.');
