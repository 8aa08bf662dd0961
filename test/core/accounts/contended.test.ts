import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { caller, password } from './open-core.ts';
import { openTravel, type Travel } from './providers/provider-flow.ts';
import { newPassword } from './use-people.ts';

type Ground = Travel & Pick<Awaited<ReturnType<Travel['signUp']>>, 'who' | 'refreshToken'>;

/** What loses every race: the store that always says that another write came first, and a call that needs it. */
const LOSING: Readonly<Record<string, readonly [(ground: Ground) => void, (ground: Ground) => unknown]>> = {
  'the claim of a login key': [
    ({ ports }) => Object.assign(ports.loginKeys, { add: async () => false }),
    async ({ providers, tripToLink, who }) =>
      providers.confirmLink(await who(), await tripToLink(await who()), caller),
  ],
  'the change of a session': [
    ({ ports }) => Object.assign(ports.sessions, { change: async () => false }),
    ({ accounts, refreshToken }) => accounts.refresh({ refreshToken }, caller),
  ],
  'the change of an account': [
    ({ ports }) => Object.assign(ports.accounts, { save: async () => false }),
    async ({ accounts, who }) =>
      accounts.changePassword(await who(), { currentPassword: password, newPassword }, caller),
  ],
};

describe('A call that loses every race', () => {
  for (const [name, [lose, call]] of Object.entries(LOSING))
    it(`ends, and may be tried again in a second: ${name}`, async () => {
      const opened = await openTravel();
      const ground = { ...opened, ...(await opened.signUp()) };
      lose(ground);
      expect(await rejectionOf(async () => call(ground))).to.deep.include({
        kind: 'unavailable',
        code: 'contended',
        facts: { retryAfter: 1 },
      });
    });
});
