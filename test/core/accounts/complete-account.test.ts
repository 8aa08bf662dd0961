import { expect } from 'chai';
import { completeAccount } from '../../../core/accounts/account.ts';
import { sampleAccount } from '../../contracts/samples.ts';

describe('A stored account', () => {
  it('gets the fields that an earlier version did not write', () => {
    const { twoFactorSetupBy, ...earlier } = sampleAccount('ada');
    expect(completeAccount(earlier)).to.deep.equal({ ...earlier, twoFactorSetupBy });
  });

  it('is not copied where nothing is missing: every request reads one', () => {
    const account = sampleAccount('ada');
    expect(completeAccount(account)).to.equal(account);
  });
});
