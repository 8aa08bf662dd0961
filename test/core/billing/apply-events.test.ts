import { expect } from 'chai';
import type { EventMove } from '../../../core/billing/ports.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { customerEvent, newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1);
const withoutUser = { userId: null, customerId: 'customer' };
const ids = { userId: USER, customerId: 'customer' };

describe('Provider events', () => {
  let setup: OpenedBilling;
  beforeEach(() => {
    setup = openBilling();
  });

  const tier = async () => (await setup.account()).access.tier;
  const countStates = async () => ({
    pending: await setup.ledger.count('pending'),
    waiting: await setup.ledger.count('waiting'),
    applied: await setup.ledger.count('applied'),
    ignored: await setup.ledger.count('ignored'),
    dead: await setup.ledger.count('dead'),
  });
  const NONE = { pending: 0, waiting: 0, applied: 0, ignored: 0, dead: 0 };
  const newPurchase = () => subscriptionEvent('active', newSubscription(withoutUser, NOW), NOW);

  for (const [trigger, event] of [
    ['an event of the customer', customerEvent('updated', ids, NOW + 1)],
    ['another event that names the user', subscriptionEvent('updated', newSubscription(ids, NOW), NOW + 1)],
  ] as const) {
    it(`wait for an unknown user until ${trigger} arrives`, async () => {
      await setup.addUser();
      await setup.deliver(newPurchase());
      await setup.settle();
      expect([await tier(), await countStates()]).to.deep.equal(['free', { ...NONE, waiting: 1 }]);
      await setup.deliver(event);
      await setup.settle();
      expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
    });
  }

  it('are applied in one change of the account if several events of a user are due', async () => {
    let changes = 0;
    const countingBilling = openBilling(
      {
        subscribers: {
          ...setup.accounts.subscribers,
          change: (userId, decide) => {
            changes += 1;
            return setup.accounts.subscribers.change(userId, decide);
          },
        },
      },
      { shared: setup.shared },
    );
    await setup.addUser();
    const { version } = await setup.account();
    const once = newSubscription(ids, NOW);
    await setup.deliver(customerEvent('created', ids, NOW));
    await setup.deliver(subscriptionEvent('canceled', { ...once, status: 'canceled' }, NOW + 2));
    await setup.deliver(subscriptionEvent('active', once, NOW + 1));
    await setup.deliver({ id: 'of no concern', body: '{}' });
    expect(await countingBilling.billing.background.applyEvents()).to.equal(4);
    expect([changes, (await setup.account()).version]).to.deep.equal([1, version + 1]);
    expect(await countStates()).to.deep.equal({ ...NONE, applied: 3, ignored: 1 });
    expect((await setup.account()).billing?.subscriptions.map(({ status }) => status)).to.deep.equal([
      'canceled',
    ]);
  });

  it('find an unnamed user by the customer', async () => {
    await setup.addUser();
    await setup.deliver(customerEvent('created', ids, NOW));
    await setup.deliver(newPurchase());
    await setup.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
  });

  it('do not name a user by data that a buyer can write', async () => {
    await setup.addUser();
    const event = newPurchase();
    const body = JSON.parse(event.body);
    body.data.metadata = { userId: USER, external_id: USER, user_id: USER };
    body.data.customer.metadata = { external_id: USER };
    await setup.deliver({ id: event.id, body: JSON.stringify(body) });
    await setup.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['free', { ...NONE, waiting: 1 }]);
  });

  it('are not lost after waiting if a process ends between the link and their release', async () => {
    let isReached = false;
    const killed = openBilling(
      {
        ledger: {
          ...setup.ledger,
          release: () => {
            isReached = true;
            return Promise.reject(new Error('killed'));
          },
          // A process that has ended cannot store the failure either.
          move: (id, to) =>
            to.state === 'pending' ? Promise.reject(new Error('killed')) : setup.ledger.move(id, to),
        },
      },
      { shared: setup.shared },
    );
    await setup.addUser();
    await killed.deliver(newPurchase());
    await killed.settle();
    await killed.deliver(customerEvent('updated', ids, NOW + 1));
    await killed.settle().catch(() => undefined);
    const link = await setup.shared.store.links.find('customer');
    expect([isReached, link]).to.deep.equal([true, USER]);
    await setup.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
  });

  it('do not wait for a user who is linked between the lookup and the wait', async () => {
    const links = setup.shared.store.links;
    let lookups = 0;
    const racing = openBilling(
      {
        ledger: setup.ledger,
        links: {
          ...links,
          find: async (customerId) => {
            const userId = await links.find(customerId);
            lookups += 1;
            // Another process applies an event of the customer at this moment.
            if (lookups === 1) await links.link(customerId, USER);
            return userId;
          },
        },
      },
      { shared: setup.shared },
    );
    await setup.addUser();
    await setup.deliver(newPurchase());
    await racing.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, applied: 1 }]);
  });

  it('are applied one by one if they cannot be applied together', async () => {
    const { change } = setup.accounts.subscribers;
    let attempts = 0;
    const failing = openBilling(
      {
        subscribers: {
          ...setup.accounts.subscribers,
          change: (...args) => {
            attempts += 1;
            return attempts === 1 ? Promise.reject(new Error('In conflict.')) : change(...args);
          },
        },
      },
      { shared: setup.shared },
    );
    await setup.addUser();
    await setup.deliver(customerEvent('created', ids, NOW));
    await setup.deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await failing.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, applied: 2 }]);
  });

  it('are logged with attempts and kind of failure if they fail, and retried for a day', async () => {
    let failure: unknown = new TypeError('odd');
    const failing = openBilling(
      {},
      {
        provider: {
          parseEvent: () => {
            throw failure;
          },
        },
      },
    );
    await failing.deliver({ id: 'odd', body: '{}' });
    const settledState = async () => {
      await failing.settle();
      const [event] = await failing.ledger.list({}, null, 1);
      return [event?.standing, event?.lastFailure];
    };
    expect(await settledState()).to.deep.equal(['pending', 'TypeError']);
    failing.time.now += DAY;
    failure = 'no error';
    expect(await settledState()).to.deep.equal(['pending', 'unknown']);
    failing.time.now += HOUR;
    expect(await settledState()).to.deep.equal(['dead', 'unknown']);
    const failures = failing.lines.filter(({ event }) => event === 'billing.event_failed');
    expect(failures.map(({ fields }) => [fields.id, fields.count])).to.deep.equal([
      ['odd', 1],
      ['odd', 2],
      ['odd', 3],
    ]);
  });

  it('are removed after 90 days, unless they are pending', async () => {
    await setup.deliver({ id: 'ignored', body: '{}' });
    await setup.settle();
    await setup.deliver({ id: 'pending', body: '{}' });
    const { sweepEvents } = setup.billing.background;
    setup.time.now += 90 * DAY;
    expect(await sweepEvents()).to.equal(0);
    setup.time.now += 1;
    expect(await sweepEvents()).to.equal(1);
    expect(await countStates()).to.deep.equal({ ...NONE, pending: 1 });
  });

  it('keep only their type if they are ignored, because they may contain personal data', async () => {
    const moves: EventMove[] = [];
    const { ledger } = setup;
    const move: typeof ledger.move = (id, to) => {
      moves.push(to);
      return ledger.move(id, to);
    };
    const recording = openBilling({ ledger: { ...ledger, move } }, { shared: setup.shared });
    await recording.deliver({ id: 'order', body: '{"type":"order.paid","data":{"billing_name":"Zoë"}}' });
    await recording.settle();
    await recording.deliver({ id: 'text', body: 'Zoë' });
    await recording.settle();
    expect(moves).to.deep.equal([
      { state: 'ignored', userId: null, body: '{"type":"order.paid"}' },
      { state: 'ignored', userId: null, body: null },
    ]);
  });

  it('are ignored if they cannot be understood', async () => {
    for (const [place, body] of ['not JSON', '{"type":"order.paid","data":{}}', '[]', 'null'].entries()) {
      await setup.deliver({ id: `delivery ${place}`, body });
    }
    await setup.settle();
    expect(await countStates()).to.deep.equal({ ...NONE, ignored: 4 });
  });

  it('are retried with growing pauses for a day if required members are missing', async () => {
    await setup.deliver({ id: 'broken', body: '{"type":"subscription.active","data":{}}' });
    const dueAt = async () => {
      const [event] = await setup.ledger.list({}, null, 1);
      return Number(event?.dueAt);
    };
    const pauses: number[] = [];
    await setup.settle();
    while ((await setup.ledger.count('dead')) === 0) {
      pauses.push((await dueAt()) - setup.time.now);
      setup.time.now = (await dueAt()) - 1;
      expect(await setup.billing.background.applyEvents()).to.equal(0);
      setup.time.now += 1;
      await setup.settle();
    }
    expect(pauses.slice(0, 5)).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(Math.max(...pauses)).to.equal(HOUR);
    expect(setup.time.now - NOW)
      .to.be.greaterThan(DAY)
      .and.at.most(DAY + HOUR);
    expect(await countStates()).to.deep.equal({ ...NONE, dead: 1 });
  });

  it('are applied at once if they were received or tried before the clock was set back', async () => {
    await setup.addUser();
    setup.time.now = NOW + 3 * DAY;
    await setup.deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await setup.deliver({ id: 'broken', body: '{"type":"subscription.active","data":{}}' });
    await setup.ledger.move('broken', { state: 'pending', dueAt: NOW + 3 * DAY + HOUR, failure: 'timeout' });
    setup.time.now = NOW;
    await setup.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, pending: 1, applied: 1 }]);
    expect((await setup.ledger.list({ standing: 'pending' }, null, 1))[0]).to.include({
      tries: 2,
      dueAt: NOW + 2_000,
    });
  });

  it('do not wait for an earlier event that fails', async () => {
    await setup.addUser();
    await setup.deliver({ id: 'broken', body: '{"type":"subscription.active","data":{}}' });
    await setup.deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await setup.settle();
    expect([await tier(), await countStates()]).to.deep.equal(['pro', { ...NONE, pending: 1, applied: 1 }]);
  });
});

describe('The replay of events', () => {
  let setup: OpenedBilling;

  const sold = newSubscription({ ...ids, productId: 'a new product' }, NOW);
  const unknownProduct = (id: string) => subscriptionEvent('active', sold, NOW, id);
  const replay = (id: string | null = null) => setup.billing.operate.replay(id);
  const tier = async () => (await setup.account()).access.tier;

  it('applies events of a product that is configured now, and returns how many are left', async () => {
    setup = openBilling();
    await setup.addUser();
    await setup.deliver(unknownProduct('one'));
    await setup.deliver(unknownProduct('two'));
    await setup.settle();
    expect(await setup.ledger.count('dead')).to.equal(2);
    expect((await setup.account()).entitlements).to.deep.equal([]);
    expect(await replay()).to.deep.equal({ replayed: 2, left: 2 });

    const { shared } = setup;
    setup = openBilling({}, { shared, products: { pro: { monthly: 'a new product' } } });
    // The other event is still dead, but was not requested.
    expect(await replay('one')).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('pro');
    expect(await rejectionOf(() => replay('of none'))).to.include({
      kind: 'missing',
      code: 'event_not_found',
      message: 'There is no delivery with this id.',
    });
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await replay()).to.deep.equal({ replayed: 0, left: 0 });
  });

  it('calls back before an event is retried, and only for an existing event', async () => {
    setup = openBilling();
    await setup.addUser();
    await setup.deliver(unknownProduct('one'));
    await setup.settle();
    const states: unknown[] = [];
    const begin = async () => states.push(await setup.ledger.findState('one'));
    const { operate } = setup.billing;
    expect(await rejectionOf(() => operate.replay('of none', begin))).to.include({ code: 'event_not_found' });
    expect(states).to.deep.equal([]);
    const refuse = () => Promise.reject(new Error('No row.'));
    expect(await rejectionOf(() => operate.replay('one', refuse))).to.include({ message: 'No row.' });
    for (const id of ['one', null]) await operate.replay(id, begin);
    // A pending event would have the state `pending`.
    expect(states).to.deep.equal(['dead', 'dead']);
    expect(await setup.ledger.findState('one')).to.equal('dead');
  });

  it('applies events of a user who was created after them', async () => {
    setup = openBilling();
    await setup.deliver(subscriptionEvent('active', newSubscription(ids, NOW), NOW));
    await setup.settle();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 1 });
    await setup.addUser();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('pro');
  });

  it('does not undo a newer event', async () => {
    setup = openBilling();
    await setup.addUser();
    await setup.deliver(unknownProduct('one'));
    await setup.settle();
    const { shared } = setup;
    setup = openBilling({}, { shared, products: { pro: { monthly: 'a new product' } } });
    await setup.deliver(subscriptionEvent('revoked', { ...sold, status: 'canceled' }, NOW + HOUR));
    await setup.settle();
    expect(await replay()).to.deep.equal({ replayed: 1, left: 0 });
    expect(await tier()).to.equal('free');
  });
});
