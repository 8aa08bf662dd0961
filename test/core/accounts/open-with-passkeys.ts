import { makePasskeys } from '../../../adapters/authenticators/passkeys.ts';
import type { PasskeyRequest } from '../../../core/accounts/passkeys/request-options.ts';
import type { AccountsPolicy, AccountsPorts } from '../../../core/index.ts';
import { type Behaviour, type Credential, makeAuthenticator } from '../../support/passkeys/authenticator.ts';
import { caller, openPorts } from './open-core.ts';
import { openProviderFlow, type ProviderFlow } from './providers/provider-flow.ts';

const ORIGIN = 'https://app.example.com';

/** The core with passkeys, a provider, and an authenticator of the users. */
export const openWithPasskeys = async (
  policy: Partial<AccountsPolicy> = {},
  overrides: Partial<AccountsPorts> = {},
) => {
  const context = openPorts();
  const passkeys = makePasskeys({ id: 'example.com', origins: [ORIGIN] });
  const ports = { ...context.ports, passkeys, ...overrides };
  const core = await openProviderFlow(undefined, { ...context, ports }, policy);
  const device = makeAuthenticator(ORIGIN);
  const calls = core.accounts.passkeys;
  type User = Pick<Awaited<ReturnType<ProviderFlow['signUp']>>, 'principal'>;
  return {
    ...core,
    passkeys: calls,
    /** Signs a challenge with a passkey. */
    answer: ({ options, flow }: PasskeyRequest, credential: Credential, behaviour: Behaviour = {}) => ({
      flow,
      credential: device.get(options as never, credential, behaviour),
    }),
    add: async ({ principal }: User, behaviour: Parameters<typeof device.create>[1] = {}, by = caller) => {
      const { options, flow } = await calls.begin(await principal(), by);
      const { credential, answer } = device.create(options as never, behaviour);
      const { passkey } = await calls.register(await principal(), { flow, credential: answer }, by);
      return { ...passkey, credential };
    },
  };
};
