import { requireArguments } from '../../core/check-arguments.ts';
import { CALL, OBJECT, object, optional, TEXT } from '../../core/schema.ts';
import type { paths } from './accounts.generated.ts';
import type { TypedClient } from './fetch-types.ts';
import { makeFlows, type SignIn, type SignInOptions } from './provider-flow.ts';

const STORAGE = optional(OBJECT);
const OPTIONS = object({ redirectUri: TEXT, storage: STORAGE });
const LOCATION = object({ href: TEXT });
const FINISH_OPTIONS = optional(object({ storage: STORAGE, askCode: optional(CALL) }));

/** Sign-in with providers. Each function first checks its arguments, for callers without types. */
export const makeSignIn = (client: TypedClient<paths>): SignIn => {
  const flows = makeFlows(client);
  const withCheck =
    <T>(begin: (provider: string, options: SignInOptions) => Promise<T>) =>
    async (provider: string, options: SignInOptions): Promise<T> => {
      requireArguments([provider, options], { provider: TEXT, options: OPTIONS });
      return begin(provider, options);
    };
  return {
    begin: withCheck(flows.begin),
    link: withCheck(flows.link),
    reauthenticate: withCheck(flows.reauthenticate),
    finish: async (location, options) => {
      requireArguments([location, options], { location: LOCATION, options: FINISH_OPTIONS });
      return flows.finish(location, options);
    },
  };
};
