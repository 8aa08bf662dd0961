import { expect } from 'chai';
import { SERVICE } from '../../../core/accounts/entitlement.ts';
import { userOf, userSessionOf } from '../../../core/accounts/identity.ts';
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
const named = { userId: USER, customerId: 'customer' };
const by = { actor: 'operator:cli' };

describe('Billing and the entitlement', () => {
  let opened: OpenedBilling;
  beforeEach(async () => {
    opened = openBilling();
    await opened.addUser();
  });

  const sold = newSubscription(named, NOW);
  const say = async (kind: string, given: Partial<typeof sold>, at: number) => {
    opened.time.now = Math.max(opened.time.now, at);
    await opened.deliver(subscriptionEvent(kind, { ...sold, ...given }, at));
    await opened.settle();
    await opened.relay();
  };
  const access = async () => (await opened.account()).access;
  const rows = async () => {
    const all = [];
    for await (const row of opened.accounts.operate.listAudit({ user: USER })) all.push(row);
    return all;
  };
  const told = () => opened.events.filter(({ type }) => type === 'entitlement.changed').length;

  it('is made by an event that grants, not by one of the customer or of a purchase that is not complete', async () => {
    await opened.deliver(customerEvent('created', named, NOW));
    await say('created', { status: 'incomplete' }, NOW + 1);
    expect((await opened.account()).entitlements).to.deep.equal([]);
    await say('active', {}, NOW + 2);
    const [entitlement] = (await opened.account()).entitlements;
    expect(entitlement).to.deep.include({
      service: SERVICE,
      connected: false,
      billing: { tier: 'pro', isPremium: true, at: NOW + 2 },
    });
  });

  it('is audited as the provider’s doing, and told of, once for each change', async () => {
    await say('active', {}, NOW);
    await say('updated', { periodEnd: NOW + 60 * DAY }, NOW + 1);
    await say('updated', { cancelAtPeriodEnd: true }, NOW + 2);
    await say('updated', { productId: PRODUCTS['pro-lite'].yearly }, NOW + 3);
    await say('revoked', { status: 'canceled' }, NOW + 4);
    const found = await rows();
    expect(found.map(({ actor, action }) => [actor, action])).to.deep.equal(
      Array.from({ length: 3 }, () => ['provider', 'billing.changed']),
    );
    expect(found[0]?.before).to.equal(null);
    expect(found[0]?.after).to.include({ tier: 'pro', isPremium: true, billedTier: 'pro' });
    expect(found[1]?.before).to.deep.equal({ tier: 'pro', billedTier: 'pro' });
    expect(found[1]?.after).to.deep.equal({ tier: 'pro-lite', billedTier: 'pro-lite' });
    expect(found[2]?.after).to.deep.equal({ tier: 'free', isPremium: false, billedTier: 'free' });
    expect(told()).to.equal(3);
  });

  it('stays as an operator granted it, and is what billing says when that ends', async () => {
    await opened.accounts.operate.setTier(USER, { tier: 'enterprise' }, by);
    await opened.relay();
    const before = told();
    await say('active', {}, NOW);
    expect((await access()).tier).to.equal('enterprise');
    expect(told()).to.equal(before);
    const row = (await rows()).at(-1);
    expect(row?.before).to.deep.equal({ billedTier: null });
    expect(row?.after).to.deep.equal({ billedTier: 'pro' });
    await opened.accounts.operate.clearTier(USER, by);
    expect(await access()).to.deep.equal({ tier: 'pro', isPremium: true });
  });

  it('ends with its period also where all that was ever said is that it was cancelled', async () => {
    await say('updated', { status: 'canceled' }, NOW);
    expect((await access()).tier).to.equal('pro');
    opened.time.now = NOW + 30 * DAY;
    await opened.billing.background.lookAtDue();
    expect(await access()).to.deep.equal({ tier: 'free', isPremium: false });
    await opened.relay();
    expect((await rows()).at(-1)).to.include({ actor: 'system', action: 'billing.changed' });
  });
});

describe('Billing and the user’s own claim, where it is trusted', () => {
  let opened: OpenedBilling;
  beforeEach(async () => {
    opened = openBilling({}, { selfEntitlement: 'trust' });
    await opened.addUser();
  });

  const sold = newSubscription(named, NOW);
  const claim = async (tier: string, at: number) => {
    opened.time.now = at;
    const who = {
      user: userOf(await opened.account()),
      session: userSessionOf(sampleSession('session', { userId: USER })),
      claims: { userId: USER, sessionId: 'session', tokenId: 'token', issuedAt: 0, expiresAt: 0 },
    };
    await opened.accounts.setOwnEntitlement(who, { service: SERVICE, tier }, false, caller);
  };
  const say = async (at: number) => {
    opened.time.now = at;
    await opened.deliver(subscriptionEvent('updated', sold, at));
    await opened.settle();
    await opened.relay();
  };
  const tier = async () => (await opened.account()).access.tier;

  it('go by what was said last', async () => {
    await claim('enterprise', NOW);
    await say(NOW + 1);
    expect(await tier()).to.equal('pro');
    await claim('enterprise', NOW + 2);
    expect(await tier()).to.equal('enterprise');
  });

  it('audit and tell of access that moves because billing says the same again', async () => {
    await say(NOW);
    await claim('enterprise', NOW + 1);
    await opened.relay();
    const before = opened.events.length;
    await say(NOW + 2);
    expect(await tier()).to.equal('pro');
    expect(opened.events.length).to.equal(before + 1);
  });
});
