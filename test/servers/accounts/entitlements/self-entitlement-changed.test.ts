import { expect } from 'chai';
import { openTestService } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

describe('A start with another SELF_ENTITLEMENT than the one before', () => {
  const folder = useTempFolder();

  it('has lists and counts follow, as single answers do at once', async () => {
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
