import { expect } from 'chai';
import { openTestService } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

describe('A start with a changed SELF_ENTITLEMENT', () => {
  const folder = useTempFolder();

  it('changes the tier of a user at once, and the statistics soon after', async () => {
    const before = await openTestService({ SELF_ENTITLEMENT: 'trust' }, folder());
    const { id, token } = await before.signUp();
    await before.post('/api/services', { service: 'DROP', tier: 'pro' }, { token });
    expect((await before.composition.accounts.operate.stats()).byTier).to.deep.equal({ pro: 1 });
    await before.close();

    const after = await openTestService({ SELF_ENTITLEMENT: 'ignore' }, folder());
    const { operate } = after.composition.accounts;
    expect((await operate.showUser(id)).entitlements[0]?.tier).to.equal('free');
    await until(async () => (await operate.stats()).byTier.free === 1);
    expect(await operate.stats()).to.deep.include({ byTier: { free: 1 }, premium: 0 });
    await after.close();
  });
});
