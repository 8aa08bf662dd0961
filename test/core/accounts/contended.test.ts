import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { newPassword } from './open-accounts.ts';
import { caller, password } from './open-core.ts';
import { openProviderFlow, type ProviderFlow } from './providers/provider-flow.ts';

type Context = ProviderFlow & Pick<Awaited<ReturnType<ProviderFlow['signUp']>>, 'principal' | 'refreshToken'>;

/** For each write: a store that reports a conflict at every attempt, and a call that needs the write. */
const LOSING: Readonly<Record<string, readonly [(context: Context) => void, (context: Context) => unknown]>> =
  {
    'the claim of a login key': [
      ({ ports }) => Object.assign(ports.loginKeys, { add: async () => false }),
      async ({ providers, linkFlow, principal }) =>
        providers.confirmLink(await principal(), await linkFlow(await principal()), caller),
    ],
    'the change of a session': [
      ({ ports }) => Object.assign(ports.sessions, { change: async () => false }),
      ({ accounts, refreshToken }) => accounts.refresh({ refreshToken }, caller),
    ],
    'the change of an account': [
      ({ ports }) => Object.assign(ports.accounts, { save: async () => false }),
      async ({ accounts, principal }) =>
        accounts.changePassword(await principal(), { currentPassword: password, newPassword }, caller),
    ],
  };

describe('A call whose writes always conflict', () => {
  for (const [name, [lose, call]] of Object.entries(LOSING))
    it(`fails with \`contended\` and may be retried after a second: ${name}`, async () => {
      const core = await openProviderFlow();
      const context = { ...core, ...(await core.signUp()) };
      lose(context);
      expect(await rejectionOf(async () => call(context))).to.deep.include({
        kind: 'unavailable',
        code: 'contended',
        facts: { retryAfter: 1 },
      });
    });
});
