import { expect } from 'chai';
import { type AccountsPorts, createAccounts } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { password, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { caller } from '../open-core.ts';

const newPassword = 'another horse battery';

describe('A sign-in with a concurrent password change', () => {
  const core = useAdminAccounts();

  /** The ports of the sign-in, which change the password at one moment. */
  const moments: Readonly<
    Record<string, (ports: AccountsPorts, change: () => Promise<unknown>) => Partial<AccountsPorts>>
  > = {
    'after the password was verified': ({ hasher }, change) => ({
      hasher: {
        ...hasher,
        verify: async (...args) => {
          const verdict = await hasher.verify(...args);
          await change();
          return verdict;
        },
      },
    }),
    'after the session was added': ({ sessions }, change) => ({
      sessions: {
        ...sessions,
        add: async (...args) => {
          const isAdded = await sessions.add(...args);
          await change();
          return isAdded;
        },
      },
    }),
  };

  for (const [moment, ports] of Object.entries(moments)) {
    it(`is refused if the password is changed ${moment}`, async () => {
      const { accounts, ports: plain, signUp } = core();
      const { id, email, token } = await signUp('ada@example.com');
      const principal = await accounts.authenticate(token);
      let changing: Promise<unknown> | undefined;
      const change = () => {
        changing ??= accounts.changePassword(principal, { currentPassword: password, newPassword }, caller);
        return changing;
      };
      const racing = createAccounts({ ...plain, ...ports(plain, change) });
      // From a new address, so that the sign-in also writes the account.
      const refusal = await rejectionOf(() =>
        racing.logIn({ email, password }, { ...caller, client: '192.0.2.9' }),
      );
      expect(refusal).to.include({ code: 'wrong_credentials' });
      const remaining = await plain.sessions.list(id);
      expect(remaining.map((session) => session.id)).to.deep.equal([principal.session.id]);
    });
  }
});
