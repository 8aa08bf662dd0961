import { OBJECT, optional, record, requireArguments, TEXT } from '../../core/arguments.ts';
import type { paths } from './accounts.generated.ts';
import { makeTrips, type SignIn, type SignInOptions } from './trips.ts';
import type { TypedClient } from './types.ts';

const STORAGE = optional(OBJECT);
const OPTIONS = record<SignInOptions>({ redirectUri: TEXT, storage: STORAGE });
const LOCATION = record<{ readonly href: string }>({ href: TEXT });
const FINISH_OPTIONS = optional(record<Pick<SignInOptions, 'storage'>>({ storage: STORAGE }));

/** Sign-in with providers, for callers in any language: looks at what it is given first. */
export const makeSignIn = (client: TypedClient<paths>): SignIn => {
  const trips = makeTrips(client);
  const requireBeginning = (provider: string, options: SignInOptions) =>
    requireArguments([provider, options], { provider: TEXT, options: OPTIONS });
  return {
    begin: async (provider, options) => {
      requireBeginning(provider, options);
      return trips.begin(provider, options);
    },
    link: async (provider, options) => {
      requireBeginning(provider, options);
      return trips.link(provider, options);
    },
    reauthenticate: async (provider, options) => {
      requireBeginning(provider, options);
      return trips.reauthenticate(provider, options);
    },
    finish: async (location, options) => {
      requireArguments([location, options], { location: LOCATION, options: FINISH_OPTIONS });
      return trips.finish(location, options);
    },
  };
};
