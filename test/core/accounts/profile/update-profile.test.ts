import { expect } from 'chai';
import type { UpdateProfileInput } from '../../../../core/accounts/profile/profile.ts';
import { useAdminAccounts } from '../admin/open-admin-accounts.ts';

/** A new value of each field. */
const CHANGES: Required<UpdateProfileInput> = { displayName: 'Ada', language: 'pl' };

describe('A profile change', () => {
  const core = useAdminAccounts();

  for (const [name, value] of Object.entries(CHANGES))
    it(`updates ${name} alone, and keeps the other fields`, async () => {
      const { accounts, signUp } = core();
      const { token } = await signUp('ada@example.com');
      const { user: before } = accounts.showProfile(await accounts.authenticate(token));
      const answer = await accounts.updateProfile(await accounts.authenticate(token), { [name]: value });
      expect(answer.user).to.deep.equal({ ...before, [name]: value, updatedAt: answer.user.updatedAt });
      expect(before).not.to.have.property(name, value);
      expect(accounts.showProfile(await accounts.authenticate(token))).to.deep.equal(answer);
    });
});
