import { expect } from 'chai';
import { rejectionOf } from '../../contracts/rejection.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1);
const nameless = { userId: null, customerId: 'customer' };
const named = { userId: USER, customerId: 'customer' };

describe('Events of the provider', () => {
  let opened: OpenedBilling;
  beforeEach(() => {
    opened = openBilling();
  });

  const tier = async () => (await opened.account()).access.tier;
  const standings = async () => ({
    pending: await opened.ledger.count('pending'),
    waiting: await opened.ledger.count('waiting'),
    applied: await opened.ledger.count('applied'),
    ignored: await opened.ledger.count('ignored'),
    dead: await opened.ledger.count('dead'),
  });
  const NONE = { pending: 0, waiting: 0, applied: 0, ignored: 0, dead: 0 };
  const bought = () => subscriptionEvent('active', newSubscription(nameless, NOW), NOW);

  for (const [what, event] of [
    ['an event of the customer', customerEvent('updated', named, NOW + 1)],
    ['another event that names the user', subscriptionEvent('updated', newSubscription(named, NOW), NOW + 1)],
  ] as const) {
    it(`wait for a user that is not known until ${what} comes`, async () => {
      await opened.addUser();
      await opened.deliver(bought());
      await opened.settle();
      expect([await tier(), await standings()]).to.deep.equal(['free', { ...NONE, waiting: 1 }]);
      await opened.deliver(event);
      await opened.settle();
      expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
    });
  }

  it('of one user that are due at once are one change of the account', async () => {
    let changes = 0;
    const counting = openBilling(
      {
        subscribers: {
          ...opened.accounts.subscribers,
          change: (userId, decide) => {
            changes += 1;
            return opened.accounts.subscribers.change(userId, decide);
          },
        },
      },
      { shared: opened.shared },
    );
    await opened.addUser();
    const { version } = await opened.account();
    const once = newSubscription(named, NOW);
    await opened.deliver(customerEvent('created', named, NOW));
    await opened.deliver(subscriptionEvent('canceled', { ...once, status: 'canceled' }, NOW + 2));
    await opened.deliver(subscriptionEvent('active', once, NOW + 1));
    await opened.deliver({ id: 'of no concern', body: '{}' });
    expect(await counting.billing.background.applyEvents()).to.equal(4);
    expect([changes, (await opened.account()).version]).to.deep.equal([1, version + 1]);
    expect(await standings()).to.deep.equal({ ...NONE, applied: 3, ignored: 1 });
    expect((await opened.account()).billing?.subscriptions.map(({ status }) => status)).to.deep.equal([
      'canceled',
    ]);
  });

  it('find by their customer whom they do not name', async () => {
    await opened.addUser();
    await opened.deliver(customerEvent('created', named, NOW));
    await opened.deliver(bought());
    await opened.settle();
    expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
  });

  it('name nobody by what a buyer can write', async () => {
    await opened.addUser();
    const event = bought();
    const body = JSON.parse(event.body);
    body.data.metadata = { userId: USER, external_id: USER, user_id: USER };
    body.data.customer.metadata = { external_id: USER };
    await opened.deliver({ id: event.id, body: JSON.stringify(body) });
    await opened.settle();
    expect([await tier(), await standings()]).to.deep.equal(['free', { ...NONE, waiting: 1 }]);
  });

  it('that waited are not lost when a process ends between the link and their release', async () => {
    let isKilled = false;
    const killed = openBilling(
      {
        ledger: {
          ...opened.ledger,
          release: () => {
            isKilled = true;
            return Promise.reject(new Error('killed'));
          },
          // What a dead process cannot write down either.
          postpone: () => Promise.reject(new Error('killed')),
        },
      },
      { shared: opened.shared },
    );
    await opened.addUser();
    await killed.deliver(bought());
    await killed.settle();
    await killed.deliver(customerEvent('updated', named, NOW + 1));
    await killed.settle().catch(() => undefined);
    const link = await opened.shared.store.links.find('customer');
    expect([isKilled, link]).to.deep.equal([true, USER]);
    await opened.settle();
    expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
  });

  it('do not wait for a user who becomes known between the look and the wait', async () => {
    const links = opened.shared.store.links;
    let looks = 0;
    const racing = openBilling(
      {
        ledger: opened.ledger,
        links: {
          ...links,
          find: async (customerId) => {
            const found = await links.find(customerId);
            looks += 1;
            // Another process takes in an event of the customer at this moment.
            if (looks === 1) await links.link(customerId, USER);
            return found;
          },
        },
      },
      { shared: opened.shared },
    );
    await opened.addUser();
    await opened.deliver(bought());
    await racing.settle();
    expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, applied: 1 }]);
  });

  it('that are not to be understood are ignored', async () => {
    for (const [place, body] of ['not JSON', '{"type":"order.paid","data":{}}', '[]', 'null'].entries()) {
      await opened.deliver({ id: `delivery ${place}`, body });
    }
    await opened.settle();
    expect(await standings()).to.deep.equal({ ...NONE, ignored: 4 });
  });

  it('of a known kind that lack what they must have are tried with growing pauses, for a day', async () => {
    await opened.deliver({ id: 'broken', body: '{"type":"subscription.active","data":{}}' });
    const dueAt = () => Number(opened.shared.kept.get('broken')?.dueAt);
    const pauses: number[] = [];
    await opened.settle();
    while ((await opened.ledger.count('dead')) === 0) {
      pauses.push(dueAt() - opened.time.now);
      opened.time.now = dueAt() - 1;
      expect(await opened.billing.background.applyEvents()).to.equal(0);
      opened.time.now += 1;
      await opened.settle();
    }
    expect(pauses.slice(0, 5)).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...pauses)).to.equal(HOUR);
    expect(opened.time.now - NOW)
      .to.be.greaterThan(DAY)
      .and.at.most(DAY + HOUR);
    expect(await standings()).to.deep.equal({ ...NONE, dead: 1 });
  });

  it('do not wait for one that fails before them', async () => {
    await opened.addUser();
    await opened.deliver({ id: 'broken', body: '{"type":"subscription.active","data":{}}' });
    await opened.deliver(subscriptionEvent('active', newSubscription(named, NOW), NOW));
    await opened.settle();
    expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, pending: 1, applied: 1 }]);
  });

  it('count once under one id, and another body under it for nothing', async () => {
    await opened.addUser();
    const one = newSubscription(named, NOW);
    await opened.deliver(subscriptionEvent('active', one, NOW, 'the id'));
    await opened.deliver(subscriptionEvent('revoked', one, NOW + 1, 'the id'));
    await opened.settle();
    expect([await tier(), await standings()]).to.deep.equal(['pro', { ...NONE, applied: 1 }]);
  });
});

describe('Replaying events', () => {
  let opened: OpenedBilling;

  const sold = newSubscription({ ...named, productId: 'a new product' }, NOW);
  const unknown = (id: string) => subscriptionEvent('active', sold, NOW, id);
  const replay = (id: string | null = null) => opened.billing.operate.replay(id);
  const tier = async () => (await opened.account()).access.tier;

  it('applies those of a product that the settings name by now, and says what is left', async () => {
    opened = openBilling();
    await opened.addUser();
    await opened.deliver(unknown('one'));
    await opened.deliver(unknown('two'));
    await opened.settle();
    expect(await opened.ledger.count('dead')).to.equal(2);
    expect((await opened.account()).entitlements).to.deep.equal([]);
    expect(await replay()).to.deep.equal({ replayed: 2, left: 2 });

    const { shared } = opened;
    opened = openBilling({}, { shared, products: { pro: { monthly: 'a new product' } } });
    // The other one is left, but is not asked about.
    expect(await replay('one')).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('pro');
    expect(await rejectionOf(() => replay('of none'))).to.include({ code: 'event_not_found' });
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await replay()).to.deep.equal({ replayed: 0, left: 0 });
  });

  it('applies those of a user who came after them', async () => {
    opened = openBilling();
    await opened.deliver(subscriptionEvent('active', newSubscription(named, NOW), NOW));
    await opened.settle();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 1 });
    await opened.addUser();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('pro');
  });

  it('brings nothing back that was said anew since', async () => {
    opened = openBilling();
    await opened.addUser();
    await opened.deliver(unknown('one'));
    await opened.settle();
    const { shared } = opened;
    opened = openBilling({}, { shared, products: { pro: { monthly: 'a new product' } } });
    await opened.deliver(subscriptionEvent('revoked', { ...sold, status: 'canceled' }, NOW + HOUR));
    await opened.settle();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('free');
  });
});
