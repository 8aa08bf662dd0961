import { expect } from 'chai';
import type { Principal } from '../../../../core/index.ts';
import { by, useAdminAccounts } from '../admin/open-admin-accounts.ts';
import { caller, codeOf } from '../open-core.ts';

describe('An embedded call of an operator', () => {
  const core = useAdminAccounts();

  it('changes the entitlement of another user only for an active operator', async () => {
    const { accounts, operate, ports, signUp } = core();
    const [dan, eve, ada] = [
      await signUp('dan@example.com'),
      await signUp('eve@example.com'),
      await signUp('ada@example.com'),
    ];
    await operate.appoint(dan.id, 'dev', by());
    const before = await ports.accounts.find(ada.id);
    const change = (operator: Principal, input: object) =>
      codeOf(accounts.setUserEntitlement(operator, ada.id, { service: 'DROP', ...input }, caller));
    const principal = await accounts.authenticate(eve.token);
    for (const input of [{ tier: 'pro' }, { metadata: { taken: true } }, { customStorageLimit: 0 }])
      expect(await change(principal, input)).to.equal('operators_only');
    await operate.ban(dan.id, { reason: 'a test', until: null }, by());
    const banned = await accounts.authenticate(dan.token, 'any');
    expect(await change(banned, { tier: 'pro' })).to.equal('account_banned');
    expect(await ports.accounts.find(ada.id)).to.deep.equal(before);
    await operate.unban(dan.id, by());
    const dev = await accounts.authenticate(dan.token, 'operator');
    const { entitlement } = await accounts.setUserEntitlement(
      dev,
      ada.id,
      { service: 'DROP', tier: 'pro' },
      caller,
    );
    expect(entitlement.tier).to.equal('pro');
  });

  it('is refused for the console without a console session', async () => {
    const { accounts, operate, signUp } = core();
    const eve = await signUp('eve@example.com');
    await operate.appoint(eve.id, 'founder', by());
    const principal = await accounts.authenticate(eve.token, 'operator');
    const call = accounts.console.operator(principal, 'dev', { reason: 'a test' }, caller);
    expect(await codeOf(call)).to.equal('cookie_needed');
    const session = { ...principal.session, kind: 'console' } as const;
    const operator = await accounts.console.operator(
      { ...principal, session },
      'dev',
      { reason: 'a test' },
      caller,
    );
    expect(operator).to.include({ actor: eve.id, reason: 'a test' });
  });
});
