import { expect } from 'chai';
import { consoleSessionRoutes } from '../../../servers/console/session.ts';
import type { AnyRoute, Call } from '../../../servers/http/route.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { caller } from '../../core/accounts/open-core.ts';
import { providerIdentity } from '../../support/scripted-providers.ts';
import { everyRoute } from './every-route.ts';
import { PASSKEYS_ON } from './passkeys/passkey-calls.ts';
import { useFlows } from './providers/flows.ts';

const PASSWORD = 'correct horse battery';

describe('A route that counts its calls in the allowance of the account', () => {
  const { service, signIn } = useFlows(undefined, PASSKEYS_ON);
  const routes = (): readonly AnyRoute[] => [
    ...everyRoute(service()),
    ...consoleSessionRoutes(service().composition.accounts),
  ];
  const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;
  const isCounting = ({ countsAccount }: AnyRoute) => countsAccount === true;

  const email = 'ada@example.com';
  /** For each such route a body with which a call reaches the allowance. */
  const bodies: Readonly<Record<string, () => object | Promise<object>>> = {
    'POST /api/auth/login': () => ({ email, password: PASSWORD }),
    'POST /api/auth/login/second/begin': () => ({ email, pendingToken: 'x' }),
    'POST /api/auth/verify-email': () => ({ email, code: '000000' }),
    'POST /api/auth/resend-verification': () => ({ email }),
    'POST /api/auth/password-reset': () => ({ email }),
    'POST /api/auth/password-reset/confirm': () => ({ email, code: '00000-00000', newPassword: PASSWORD }),
    'POST /api/auth/email': () => ({ email }),
    'POST /api/auth/providers/sign-up': async () => {
      const { body } = await signIn(providerIdentity({ subject: 'new', email: null, emailVerified: false }));
      return { signUpToken: String(body.signUpToken), email };
    },
    'POST /api/admin/sign-in': () => ({ email, password: PASSWORD }),
  };

  it('has a sample body in this test', () => {
    expect(routes().filter(isCounting).map(nameOf)).to.have.members(Object.keys(bodies));
  });

  it('fails if the account exceeds the allowance, and counts under a key without the email', async () => {
    const { accounts } = service().composition;
    const { token } = await service().signUp();
    const exceeded = new Error('The account exceeds its allowance.');
    for (const route of routes().filter(isCounting)) {
      const name = nameOf(route);
      const keys: string[] = [];
      const call = {
        body: await bodies[name]?.(),
        principal: await accounts.authenticate(token),
        caller,
        admitAccount: async (key: string) => {
          keys.push(key);
          throw exceeded;
        },
      } as unknown as Call<never, never, never, never>;
      expect(await rejectionOf(() => route.run(call)), name).to.equal(exceeded);
      expect(keys, name).to.have.length(1);
      expect(keys[0], name).not.to.include(email);
    }
  });

  it('is marked with `countsAccount`, and no other route calls `admitAccount`', () => {
    for (const route of routes())
      expect(/admitAccount/.test(route.run.toString()), nameOf(route)).to.equal(isCounting(route));
  });
});
