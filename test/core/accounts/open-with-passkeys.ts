import { makePasskeys } from '../../../adapters/authenticators/passkeys.ts';
import type { PasskeyRequest } from '../../../core/accounts/passkeys/request-options.ts';
import type { AccountsPolicy, AccountsPorts } from '../../../core/index.ts';
import { type Behaviour, type Credential, makeAuthenticator } from '../../support/passkeys/authenticator.ts';
import { caller, openPorts } from './open-core.ts';
import { openTravel, type Travel } from './providers/provider-flow.ts';

const ORIGIN = 'https://app.example.com';

/** The core with passkeys, a provider, and a device of the people. */
export const openWithPasskeys = async (
  policy: Partial<AccountsPolicy> = {},
  overrides: Partial<AccountsPorts> = {},
) => {
  const opened = openPorts();
  const passkeys = makePasskeys({ id: 'example.com', origins: [ORIGIN] });
  const ports = { ...opened.ports, passkeys, ...overrides };
  const travel = await openTravel(undefined, { ...opened, ports }, policy);
  const device = makeAuthenticator(ORIGIN);
  const calls = travel.accounts.passkeys;
  type Person = Pick<Awaited<ReturnType<Travel['signUp']>>, 'who'>;
  return {
    ...travel,
    passkeys: calls,
    /** Answers a challenge. */
    answer: ({ options, flow }: PasskeyRequest, credential: Credential, behaviour: Behaviour = {}) => ({
      flow,
      credential: device.get(options as never, credential, behaviour),
    }),
    add: async ({ who }: Person, behaviour: Parameters<typeof device.create>[1] = {}, by = caller) => {
      const { options, flow } = await calls.begin(await who(), by);
      const { credential, answer } = device.create(options as never, behaviour);
      const { passkey } = await calls.register(await who(), { flow, credential: answer }, by);
      return { ...passkey, credential };
    },
  };
};
