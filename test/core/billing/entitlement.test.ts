import { expect } from 'chai';
import { SERVICE } from '../../../core/accounts/entitlement.ts';
import { userOf, userSessionOf } from '../../../core/accounts/principal.ts';
import { sampleSession } from '../../contracts/samples.ts';
import {
  customerEvent,
  newSubscription,
  PRODUCTS,
  subscriptionEvent,
} from '../../support/servers/polar-events.ts';
import { caller } from '../accounts/open-core.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const ids = { userId: USER, customerId: 'customer' };
const by = { actor: 'operator:cli' };

describe('The billed entitlement', () => {
  let setup: OpenedBilling;
  beforeEach(async () => {
    setup = openBilling();
    await setup.addUser();
  });

  const sold = newSubscription(ids, NOW);
  const deliver = async (kind: string, overrides: Partial<typeof sold>, at: number) => {
    setup.time.now = Math.max(setup.time.now, at);
    await setup.deliver(subscriptionEvent(kind, { ...sold, ...overrides }, at));
    await setup.settle();
    await setup.relay();
  };
  const access = async () => (await setup.account()).access;
  const listAuditRows = async () => {
    const all = [];
    for await (const row of setup.accounts.operate.listAudit({ user: USER })) all.push(row);
    return all;
  };
  const changeCount = () => setup.events.filter(({ type }) => type === 'entitlement.changed').length;

  it('is created by an event that grants, not by a customer or an incomplete purchase', async () => {
    await setup.deliver(customerEvent('created', ids, NOW));
    await deliver('created', { status: 'incomplete' }, NOW + 1);
    expect((await setup.account()).entitlements).to.deep.equal([]);
    await deliver('active', {}, NOW + 2);
    const [entitlement] = (await setup.account()).entitlements;
    expect(entitlement).to.deep.include({
      service: SERVICE,
      connected: false,
      billing: { tier: 'pro', isPremium: true, at: NOW + 2 },
    });
  });

  it('is audited as a change by the provider and announced, once for each change', async () => {
    await deliver('active', {}, NOW);
    await deliver('updated', { periodEnd: NOW + 60 * DAY }, NOW + 1);
    await deliver('updated', { cancelAtPeriodEnd: true }, NOW + 2);
    await deliver('updated', { productId: PRODUCTS['pro-lite'].yearly }, NOW + 3);
    await deliver('revoked', { status: 'canceled' }, NOW + 4);
    const auditRows = await listAuditRows();
    expect(auditRows.map(({ actor, action }) => [actor, action])).to.deep.equal(
      Array.from({ length: 3 }, () => ['provider', 'billing.changed']),
    );
    expect(auditRows[0]?.before).to.equal(null);
    expect(auditRows[0]?.after).to.include({ tier: 'pro', isPremium: true, billedTier: 'pro' });
    expect(auditRows[1]?.before).to.deep.equal({ tier: 'pro', billedTier: 'pro' });
    expect(auditRows[1]?.after).to.deep.equal({ tier: 'pro-lite', billedTier: 'pro-lite' });
    expect(auditRows[2]?.after).to.deep.equal({ tier: 'free', isPremium: false, billedTier: 'free' });
    expect(changeCount()).to.equal(3);
  });

  it("is overridden by an operator's grant until that grant ends", async () => {
    await setup.accounts.operate.setTier(USER, { tier: 'enterprise' }, by);
    await setup.relay();
    const before = changeCount();
    await deliver('active', {}, NOW);
    expect((await access()).tier).to.equal('enterprise');
    expect(changeCount()).to.equal(before);
    const row = (await listAuditRows()).at(-1);
    expect(row?.before).to.deep.equal({ billedTier: null });
    expect(row?.after).to.deep.equal({ billedTier: 'pro' });
    await setup.accounts.operate.clearTier(USER, by);
    expect(await access()).to.deep.equal({ tier: 'pro', isPremium: true });
  });

  it('ends with its period even if the only event is the cancellation', async () => {
    await deliver('updated', { status: 'canceled' }, NOW);
    expect((await access()).tier).to.equal('pro');
    setup.time.now = NOW + 30 * DAY;
    await setup.billing.background.checkDue();
    expect(await access()).to.deep.equal({ tier: 'free', isPremium: false });
    await setup.relay();
    expect((await listAuditRows()).at(-1)).to.include({ actor: 'system', action: 'billing.changed' });
  });
});

describe('The access of a user with a trusted claim', () => {
  let setup: OpenedBilling;
  beforeEach(async () => {
    setup = openBilling({}, { selfEntitlement: 'trust' });
    await setup.addUser();
  });

  const sold = newSubscription(ids, NOW);
  const claim = async (tier: string, at: number) => {
    setup.time.now = at;
    const principal = {
      user: userOf(await setup.account()),
      session: userSessionOf(sampleSession('session', { userId: USER })),
      claims: { userId: USER, sessionId: 'session', tokenId: 'token', issuedAt: 0, expiresAt: 0 },
    };
    await setup.accounts.setOwnEntitlement(principal, { service: SERVICE, tier }, false, caller);
  };
  const deliver = async (at: number) => {
    setup.time.now = at;
    await setup.deliver(subscriptionEvent('updated', sold, at));
    await setup.settle();
    await setup.relay();
  };
  const tier = async () => (await setup.account()).access.tier;

  it('follows the newest event or claim', async () => {
    await claim('enterprise', NOW);
    await deliver(NOW + 1);
    expect(await tier()).to.equal('pro');
    await claim('enterprise', NOW + 2);
    expect(await tier()).to.equal('enterprise');
  });

  it('is announced if it changes because billing repeats its state', async () => {
    await deliver(NOW);
    await claim('enterprise', NOW + 1);
    await setup.relay();
    const before = setup.events.length;
    await deliver(NOW + 2);
    expect(await tier()).to.equal('pro');
    expect(setup.events.length).to.equal(before + 1);
  });
});
