import { expect } from 'chai';
import { completeAccount } from '../../../core/accounts/account.ts';
import { sampleAccount } from '../../contracts/samples.ts';

describe('A stored account', () => {
  it('receives the fields that an earlier version did not write', () => {
    const { twoFactorSetupBy, ...earlier } = sampleAccount('ada');
    expect(completeAccount(earlier)).to.deep.equal({ ...earlier, twoFactorSetupBy });
  });

  it('is not copied if no field is missing, because every request reads an account', () => {
    const account = sampleAccount('ada');
    expect(completeAccount(account)).to.equal(account);
  });
});
