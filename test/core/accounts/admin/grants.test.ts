import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { NOW } from '../../../contracts/samples.ts';
import { by, useAdminAccounts } from './open-admin-accounts.ts';

describe('Grants by an operator', () => {
  const core = useAdminAccounts();

  it('set a tier and limits, and keep the limits after the tier is cleared', async () => {
    const { accounts, events, operate, rowsAbout, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    expect(await operate.clearTier(email, by())).to.deep.include({ changed: false, entitlement: null });
    const limits = { customStorageLimit: 7, customApiKeyLimit: 3 };
    const granted = await operate.setTier(email, { tier: 'pro', ...limits }, by('a friend'));
    expect(granted.entitlement).to.deep.include({ tier: 'pro', isPremium: true, ...limits });
    const changedGrant = await operate.setTier(email, { tier: 'enterprise', customApiKeyLimit: null }, by());
    expect(changedGrant.entitlement).to.include({
      tier: 'enterprise',
      customStorageLimit: 7,
      customApiKeyLimit: null,
    });
    expect((await accounts.listUsers({ tier: 'enterprise' })).users.map((user) => user.id)).to.deep.equal([
      id,
    ]);

    const cleared = await operate.clearTier(email, by());
    expect(cleared.entitlement).to.include({ tier: 'free', isPremium: false, customStorageLimit: 7 });
    expect(await operate.clearTier(email, by())).to.include({ changed: false });
    const rows = await rowsAbout(id);
    expect(rows.map(({ action }) => action)).to.deep.equal(Array(3).fill('entitlement.changed'));
    expect(rows[0]).to.deep.include({ actor: 'operator:cli', reason: 'a friend' });
    expect(rows[1]?.before).to.include({ tier: 'pro', grantedTier: 'pro' });
    expect(rows[2]?.after).to.include({ tier: 'free', grantedTier: null });
    expect(events.filter(({ type }) => type === 'entitlement.changed')).to.have.length(3);
  });

  it('record operator, time and reason, and show the source of the access', async () => {
    const { account, accounts, edit, operate, signUp } = core();
    const { id, email } = await signUp('ada@example.com');
    const noAccess = { effective: 'free', grant: null, billing: null, claim: null };
    expect((await operate.showUser(id)).why).to.deep.equal(noAccess);
    await operate.setTier(email, { tier: 'pro' }, by('a friend'));
    const granted = (await operate.showUser(id)).why;
    expect(granted).to.deep.include({ effective: 'grant', billing: null, claim: null });
    const { at, ...grant } = granted.grant ?? {};
    expect(grant).to.deep.equal({
      ...{ fields: { tier: 'pro' }, by: 'operator:cli', byEmail: null, reason: 'a friend' },
    });
    expect(Date.parse(at ?? '')).to.be.greaterThan(NOW);

    // A repetition does not change the operator of the grant.
    await operate.setTier(email, { tier: 'pro', customApiKeyLimit: 3 }, { actor: 'another' });
    expect((await operate.showUser(id)).why).to.deep.equal(granted);

    await accounts.subscribers.change(id, () => ({
      actor: 'provider',
      plan: 'pro-lite',
      since: NOW,
      dueAt: null,
      state: { customers: [], subscriptions: [], granted: true, answered: null, triedAt: null },
    }));
    const why = (await operate.showUser(id)).why;
    expect(why.effective).to.equal('grant');
    expect(why.billing).to.include({ tier: 'pro-lite', isPremium: true });
    await operate.clearTier(email, by());
    expect((await operate.showUser(id)).why).to.deep.include({ effective: 'billing', grant: null });

    // An earlier version stored grants without operator, time and reason.
    await operate.setTier(email, { tier: 'pro' }, by('a friend'));
    const { entitlements } = await account(id);
    await edit(id, { entitlements: entitlements.map((row) => ({ ...row, grant: { tier: 'pro' } })) });
    expect((await operate.showUser(id)).why.grant).to.deep.equal({
      fields: { tier: 'pro' },
      by: null,
      byEmail: null,
      at: null,
      reason: null,
    });
  });

  it('refuse a tier that is not configured', async () => {
    const { operate, signUp } = core();
    const { email } = await signUp('ada@example.com');
    const refusal = await rejectionOf(() => operate.setTier(email, { tier: 'gold' }, by()));
    expect(refusal).to.deep.include({ kind: 'invalid', code: 'unknown_tier' });
  });

  it('appoint and dismiss operators, and keep the other access flags', async () => {
    const { account, accounts, edit, operate, signUp } = core();
    const { id, email, token } = await signUp('ada@example.com');
    await operate.appoint(email, 'dev', by());
    const { entitlements } = await account(id);
    const withFlag = entitlements.map((row) => ({ ...row, accessFlags: { ...row.accessFlags, beta: true } }));
    await edit(id, { entitlements: withFlag });

    expect((await accounts.authenticate(token, 'operator')).user.id).to.equal(id);
    expect(await operate.appoint(email, 'dev', by())).to.include({ changed: false });
    const founder = await operate.appoint(email, 'founder', by());
    expect(founder.entitlement?.accessFlags).to.deep.equal({
      isOperatorTeam: true,
      operatorTeamRole: 'founder',
      beta: true,
    });
    const dismissed = await operate.dismiss(email, by());
    expect(dismissed.entitlement?.accessFlags).to.deep.equal({ beta: true });
    expect(await operate.dismiss(email, by())).to.include({ changed: false });
    const refusal = await rejectionOf(() => accounts.authenticate(token, 'operator'));
    expect(refusal).to.include({ code: 'operators_only' });
  });
});
