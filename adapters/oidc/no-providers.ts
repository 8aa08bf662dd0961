import type { IdentityProviders } from '../../core/accounts/ways-in/provider.ts';
import { CoreError } from '../../core/errors.ts';

/** Of an id that the settings do not name. */
export const unknownProvider = () =>
  new CoreError('missing', 'provider_not_found', 'There is no such provider.');

const refuse = async () => {
  throw unknownProvider();
};

/** Where nobody signs in with an account elsewhere. */
export const noProviders: IdentityProviders = {
  list: [],
  issuerOf: () => undefined,
  begin: refuse,
  identify: refuse,
};
