import { expect } from 'chai';
import type { Subscription } from '../../../core/billing/index.ts';
import { CoreError } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';
import { BILLING_DOWN, liveSubscription, makeProvider } from './provider-answers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MARGIN = 300_000;
const NOW = Date.UTC(2026, 0, 1);
const END = NOW + 30 * DAY;
const userOf = (number: number) => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;

describe('The reconciliation with the provider', () => {
  let setup: OpenedBilling;
  let provider: ReturnType<typeof makeProvider>;
  beforeEach(async () => {
    provider = makeProvider(() => setup.time.now);
    setup = openBilling({}, { provider });
    await setup.addUser();
  });

  const sold = newSubscription({ id: 'sold', userId: USER }, NOW);
  const deliver = async (kind: string, overrides: Partial<typeof sold>, at: number) => {
    await setup.deliver(subscriptionEvent(kind, { ...sold, ...overrides }, at));
    await setup.settle();
  };
  const tier = async (id = USER) => (await setup.account(id)).access.tier;
  const answer = (userId: string, ...subscriptions: readonly Subscription[]) =>
    provider.answers.set(userId, { customerId: `customer of ${userId}`, subscriptions });
  const reconcile = (id = USER) => setup.billing.operate.reconcile(id);

  it('corrects the access after a missed purchase or cancellation', async () => {
    answer(USER, liveSubscription());
    await reconcile();
    expect(await tier()).to.equal('pro');
    setup.time.now += 1_000;
    answer(USER);
    await reconcile();
    expect(await tier()).to.equal('free');
    answer(USER, liveSubscription({ plan: 'pro-lite' }));
    setup.time.now += 1_000;
    await reconcile();
    expect(await tier()).to.equal('pro-lite');
    provider.answers.delete(USER);
    setup.time.now += 1_000;
    await reconcile();
    expect(await tier()).to.equal('free');
    await setup.relay();
    const actors = [];
    for await (const { actor } of setup.accounts.operate.listAudit({ user: USER })) actors.push(actor);
    expect(actors).to.deep.equal(Array(4).fill('provider'));
  });

  it('changes nothing for a user without purchases', async () => {
    await reconcile();
    expect((await setup.account()).billing).to.equal(null);
  });

  it('overrides events older than the answer, but no newer events', async () => {
    await deliver('active', {}, NOW);
    setup.time.now = NOW + HOUR;
    answer(USER);
    await reconcile();
    await deliver('updated', {}, NOW + HOUR - 1);
    await deliver('active', { id: 'another' }, NOW + HOUR - 1);
    expect(await tier()).to.equal('free');
    await deliver('active', {}, NOW + HOUR + 1);
    expect(await tier()).to.equal('pro');
  });

  it('keeps an event that arrives during the request', async () => {
    await deliver('active', {}, NOW);
    answer(USER);
    const { stateOf } = provider;
    setup = openBilling(
      {},
      {
        shared: setup.shared,
        provider: {
          stateOf: async (userId) => {
            const state = await stateOf(userId);
            await deliver('updated', {}, NOW + HOUR);
            return state;
          },
        },
      },
    );
    await reconcile();
    expect(await tier()).to.equal('pro');
  });

  it('releases events of the customer that waited for the user', async () => {
    answer(USER, liveSubscription());
    const withoutUser = { ...sold, userId: null, customerId: `customer of ${USER}` };
    await setup.deliver(
      subscriptionEvent('active', { ...withoutUser, productId: 'prod-lite-year' }, NOW + HOUR),
    );
    await setup.settle();
    expect(await setup.ledger.count('waiting')).to.equal(1);
    await reconcile();
    await setup.settle();
    expect(await tier()).to.equal('pro-lite');
  });

  it('changes nothing and fails with the reason if the provider does not answer', async () => {
    await deliver('active', {}, NOW);
    provider.answers.set(USER, BILLING_DOWN);
    expect(await rejectionOf(() => reconcile())).to.include({ code: 'billing_unavailable' });
    expect(await tier()).to.equal('pro');
    expect(await rejectionOf(() => reconcile(userOf(9)))).to.include({ code: 'user_not_found' });
    expect(provider.calls).to.deep.equal([USER]);
  });

  it('checks all customers one by one, counts failures, and skips users without purchases', async () => {
    const count = 205;
    const ids = Array.from({ length: count }, (_, place) => userOf(place + 1));
    for (const id of ids) {
      await setup.addUser(id);
      await setup.store.save({ ...(await setup.account(id)), billing: { ...EMPTY }, billingDueAt: null });
      answer(id, liveSubscription({ id: `of ${id}` }));
    }
    provider.answers.set(userOf(7), BILLING_DOWN);
    provider.answers.set(userOf(150), new CoreError('unavailable', 'provider_unavailable', 'Odd.'));
    const progress: number[] = [];
    expect(await setup.billing.operate.countCustomers()).to.equal(count);
    const result = await setup.billing.operate.reconcileAll(
      ({ asked, failed }) => progress.push(asked + failed),
      noPause,
    );
    expect(result).to.deep.equal({ asked: count - 2, failed: 2 });
    expect(progress).to.deep.equal(ids.map((_, place) => place + 1));
    expect(provider.calls.toSorted()).to.deep.equal(ids);
    expect(await Promise.all([tier(userOf(1)), tier(userOf(7)), tier(userOf(count))])).to.deep.equal([
      'pro',
      'free',
      'pro',
    ]);
    const failures = setup.lines.filter(({ event }) => event === 'billing.reconcile_failed');
    expect(failures.map(({ fields }) => fields)).to.deep.equal([
      { userId: userOf(7), reason: 'billing_unavailable' },
      { userId: userOf(150), reason: 'provider_unavailable' },
    ]);
  });

  it('does not count accounts that are deleted meanwhile, and stops at an unexpected failure', async () => {
    const { subscribers } = setup.accounts;
    const list = async (after: string | null) => (after === null ? [userOf(9), USER] : []);
    const { billing } = openBilling(
      { subscribers: { ...subscribers, list: list } },
      { shared: setup.shared, provider },
    );
    const progress: unknown[] = [];
    const reconcileAll = () => billing.operate.reconcileAll((result) => progress.push(result), noPause);
    expect(await reconcileAll()).to.deep.equal({ asked: 1, failed: 0 });
    expect(progress).to.deep.equal([{ asked: 1, failed: 0 }]);
    provider.answers.set(USER, new TypeError('odd'));
    expect(await rejectionOf(reconcileAll)).to.be.instanceOf(TypeError);
  });

  it('pauses as the provider requests, and skips a user after five attempts', async () => {
    const ids = [1, 2, 3].map(userOf);
    for (const id of ids) {
      await setup.addUser(id);
      await setup.store.save({ ...(await setup.account(id)), billing: { ...EMPTY }, billingDueAt: null });
      answer(id, liveSubscription({ id: `of ${id}` }));
    }
    provider.throttled.push(...Array(2).fill(userOf(1)), ...Array(5).fill(userOf(2)));
    const pauses: number[] = [];
    const result = await setup.billing.operate.reconcileAll(
      () => undefined,
      async (milliseconds) => {
        pauses.push(milliseconds);
      },
    );
    expect(result).to.deep.equal({ asked: 2, failed: 1 });
    expect(pauses).to.deep.equal(Array(6).fill(17_000));
    expect(await Promise.all(ids.map(tier))).to.deep.equal(['pro', 'free', 'pro']);
  });

  describe('An answer of the provider close to an event', () => {
    it("keeps a later purchase if the local clock is ahead of the provider's clock", async () => {
      setup.time.now = NOW + HOUR;
      provider.settings.asOf = () => NOW + HOUR - 2_000;
      answer(USER);
      await reconcile();
      // The purchase is a second after the answer, by a clock that is two seconds behind the local clock.
      await deliver('active', {}, NOW + HOUR - 1_000);
      expect(await tier()).to.equal('pro');
      answer(USER, liveSubscription());
      setup.time.now = NOW + HOUR + MARGIN;
      await setup.billing.background.checkDue();
      expect([provider.calls.length, await tier()]).to.deep.equal([2, 'pro']);
    });

    it('is requested again at a whole millisecond, although the provider sends microseconds', async () => {
      setup.time.now = NOW + HOUR;
      provider.settings.asOf = () => NOW + HOUR - 2_000;
      answer(USER);
      await reconcile();
      const { id, body } = subscriptionEvent('active', sold, NOW + HOUR);
      const timestamp = new Date(NOW + HOUR).toISOString().replace('Z', '123Z');
      await setup.deliver({ id, body: JSON.stringify({ ...JSON.parse(body), timestamp }) });
      await setup.settle();
      expect((await setup.account()).billingDueAt).to.equal(NOW + HOUR + MARGIN + 1);
    });

    it('does not affect nearby events if the provider sends no date', async () => {
      provider.settings.asOf = () => null;
      await deliver('active', {}, NOW + HOUR - MARGIN - 1);
      await deliver('active', { id: 'another' }, NOW + HOUR - MARGIN + 1);
      setup.time.now = NOW + HOUR;
      answer(USER);
      await reconcile();
      const { subscriptions } = (await setup.account()).billing ?? { subscriptions: [] };
      expect(subscriptions.map(({ id, status }) => [id, status])).to.deep.equal([
        ['another', 'active'],
        ['sold', 'canceled'],
      ]);
    });

    it('keeps newer events by its date, and is requested once more if its date stays the same', async () => {
      setup.time.now = NOW + HOUR;
      provider.settings.asOf = () => NOW + HOUR - 2_000;
      await deliver('active', {}, NOW + HOUR - 1_000);
      answer(USER);
      await reconcile();
      setup.time.now += 2 * MARGIN;
      await setup.billing.background.checkDue();
      expect([provider.calls.length, await tier()]).to.deep.equal([2, 'pro']);
      // Only the check of the renewal remains, a day after the end of the period.
      expect((await setup.account()).billingDueAt).to.equal(NOW + 31 * DAY);
    });

    for (const aheadMs of [HOUR / 2, 2 * DAY])
      it(`keeps a later purchase if the local clock was ${aheadMs / HOUR} h ahead`, async () => {
        provider.settings.asOf = () => NOW;
        answer(USER);
        setup.time.now = NOW + aheadMs;
        await reconcile();
        setup.time.now = NOW + 1_000;
        await deliver('active', {}, NOW + 1_000);
        expect([await tier(), (await setup.account()).billingDueAt]).to.deep.equal([
          'pro',
          NOW + 1_000 + MARGIN,
        ]);
        provider.settings.asOf = () => setup.time.now;
        answer(USER, liveSubscription());
        setup.time.now = NOW + 1_000 + MARGIN;
        await setup.billing.background.checkDue();
        expect([provider.calls.length, await tier()]).to.deep.equal([2, 'pro']);
      });

    it('keeps a purchase that it does not contain, and is requested until one is newer', async () => {
      setup.time.now = NOW + HOUR;
      provider.settings.asOf = () => setup.time.now - 2_000;
      await deliver('active', {}, NOW + HOUR - 1_000);
      answer(USER);
      await reconcile();
      expect(await tier()).to.equal('pro');
      const checkAt = async (now: number) => {
        setup.time.now = now;
        await setup.billing.background.checkDue();
      };
      const doubtEnds = NOW + HOUR - 1_000 + MARGIN;
      await checkAt(doubtEnds - 1);
      expect(provider.calls).to.have.length(1);
      provider.answers.set(USER, BILLING_DOWN);
      await checkAt(doubtEnds);
      expect([provider.calls.length, await tier()]).to.deep.equal([2, 'pro']);
      // After a failed request the provider receives no further request for an hour.
      answer(USER);
      await checkAt(doubtEnds + HOUR - 1);
      expect(provider.calls).to.have.length(2);
      await checkAt(doubtEnds + HOUR);
      expect([provider.calls.length, await tier()]).to.deep.equal([3, 'free']);
      expect((await setup.account()).billingDueAt).to.equal(null);
    });
  });
});

const noPause = () => expect.fail('No pause was requested.');
const EMPTY = { customers: [], subscriptions: [], granted: false, answered: null, triedAt: null } as const;

describe('The check of due accounts', () => {
  let setup: OpenedBilling;
  let provider: ReturnType<typeof makeProvider>;
  beforeEach(() => {
    provider = makeProvider(() => setup.time.now);
    setup = openBilling({}, { provider });
  });

  const buy = async (id: string, overrides: Partial<ReturnType<typeof newSubscription>> = {}) => {
    await setup.addUser(id);
    const sold = newSubscription(
      { id: `of ${id}`, customerId: `customer of ${id}`, userId: id, ...overrides },
      NOW,
    );
    await setup.deliver(subscriptionEvent('active', sold, NOW));
    await setup.settle();
  };
  const checkAt = async (now: number) => {
    setup.time.now = now;
    await setup.billing.background.checkDue();
  };
  const tier = async (id = USER) => (await setup.account(id)).access.tier;
  const dueAt = async (id = USER) => (await setup.account(id)).billingDueAt;

  it('changes nothing before the period ends, and ends the plan then', async () => {
    await buy(USER, { cancelAtPeriodEnd: true });
    await checkAt(END - 1);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END]);
    await checkAt(END);
    expect([await tier(), await dueAt()]).to.deep.equal(['free', null]);
  });

  it('requests the state a day after a missing renewal, and follows the answer', async () => {
    await buy(USER);
    await checkAt(END + DAY - 1);
    expect(provider.calls).to.deep.equal([]);
    provider.answers.set(USER, {
      customerId: `customer of ${USER}`,
      subscriptions: [liveSubscription({ id: `of ${USER}` })],
    });
    await checkAt(END + DAY);
    await checkAt(END + 2 * DAY - 1);
    expect((await setup.account()).billing?.triedAt).to.equal(null);
    expect([provider.calls.length, await tier(), await dueAt()]).to.deep.equal([1, 'pro', END + 2 * DAY]);
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [] });
    await checkAt(END + 2 * DAY);
    expect([provider.calls.length, await tier(), await dueAt()]).to.deep.equal([2, 'free', null]);
  });

  it('requests the state once a day for a renewal, even if the answers have an old date', async () => {
    await buy(USER);
    const renewed = liveSubscription({ id: `of ${USER}`, currentPeriodEnd: END });
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [renewed] });
    provider.settings.asOf = () => NOW + HOUR;
    for (const day of [1, 2, 3]) {
      await checkAt(END + day * DAY);
      expect([provider.calls.length, await dueAt()]).to.deep.equal([day, END + (day + 1) * DAY]);
    }
  });

  it('requests the state after an undone deletion until the provider answers', async () => {
    await buy(USER);
    const restoredAt = NOW + HOUR;
    const { billing } = await setup.account();
    await setup.accounts.subscribers.change(USER, () => ({
      state: { ...(billing ?? EMPTY), restoredAt },
      ...{ plan: 'pro', since: NOW, dueAt: restoredAt, actor: 'system' },
    }));
    provider.answers.set(USER, BILLING_DOWN);
    await checkAt(restoredAt);
    expect([provider.calls.length, await tier(), await dueAt()]).to.deep.equal([1, 'pro', restoredAt + HOUR]);
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [] });
    await checkAt(restoredAt + HOUR);
    expect([provider.calls.length, await tier(), await dueAt()]).to.deep.equal([2, 'free', null]);
  });

  it('keeps the plan without a valid answer, and requests the state again in an hour', async () => {
    await buy(USER);
    provider.answers.set(USER, BILLING_DOWN);
    await checkAt(END + DAY);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END + DAY + HOUR]);
    const fields = { userId: USER, error: BILLING_DOWN };
    expect(setup.lines.at(-1)).to.deep.equal({ level: 'warn', event: 'billing.reconcile_failed', fields });
    provider.answers.set(USER, new TypeError('an answer of another kind'));
    await checkAt(END + DAY + HOUR);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END + DAY + 2 * HOUR]);
    await checkAt(END + 30 * DAY);
    expect(await tier()).to.equal('pro');
  });

  it('ends periods at once and sends a single request while the provider is down', async () => {
    for (const place of Array.from({ length: 20 }, (_, number) => number + 1)) {
      await buy(userOf(place));
      provider.answers.set(userOf(place), BILLING_DOWN);
    }
    await buy(USER, { cancelAtPeriodEnd: true, periodEnd: END + DAY });
    await checkAt(END + DAY);
    expect(await tier()).to.equal('free');
    expect(provider.calls).to.have.length(1);
    expect(await setup.store.listWhere({ fact: 'billing_due', now: END + DAY }, 100)).to.deep.equal([]);
  });

  it('repeats a failed request in an hour, even if another subscription ends meanwhile', async () => {
    await buy(USER);
    const otherId = { id: 'lite', userId: USER, productId: 'prod-lite-year', cancelAtPeriodEnd: true };
    const ending = newSubscription({ ...otherId, periodEnd: END + DAY + HOUR / 2 }, NOW);
    await setup.deliver(subscriptionEvent('active', ending, NOW));
    await setup.settle();
    provider.answers.set(USER, BILLING_DOWN);
    await checkAt(END + DAY);
    expect(await dueAt()).to.equal(END + DAY + HOUR / 2);
    await checkAt(END + DAY + HOUR / 2);
    expect([provider.calls.length, await dueAt()]).to.deep.equal([1, END + DAY + HOUR]);
  });

  it('requests the states of other users if the provider refuses one', async () => {
    const [refusedId, otherId] = [userOf(1), userOf(2)];
    for (const id of [refusedId, otherId]) await buy(id);
    provider.answers.set(refusedId, new CoreError('refused', 'billing_refused', 'No.'));
    await checkAt(END + DAY);
    expect(provider.calls).to.have.members([refusedId, otherId]);
  });

  /** Checks the listed users as due; the account of the `locked` user cannot be changed. */
  const openCheck = (due: readonly string[], locked?: string) => {
    const { subscribers } = setup.accounts;
    const opened = openBilling(
      {
        subscribers: {
          ...subscribers,
          listDue: async () => due,
          change: async (id, decide) => {
            if (id === locked) throw BILLING_DOWN;
            return subscribers.change(id, decide);
          },
        },
      },
      { shared: setup.shared, provider },
    );
    opened.time.now = END;
    return { lines: opened.lines, checkDue: opened.billing.background.checkDue };
  };

  it('changes nothing for users without billing or account', async () => {
    await setup.addUser(USER);
    const { checkDue, lines } = openCheck([USER, userOf(9)]);
    await checkDue();
    expect([provider.calls, lines, (await setup.account()).billing]).to.deep.equal([[], [], null]);
  });

  it('ends the periods of other users if the change of one account fails', async () => {
    for (const id of [USER, userOf(1)]) await buy(id, { cancelAtPeriodEnd: true });
    const { checkDue, lines } = openCheck([USER, userOf(1)], USER);
    await checkDue();
    expect([await tier(), await tier(userOf(1))]).to.deep.equal(['pro', 'free']);
    const fields = { userId: USER, error: BILLING_DOWN };
    expect(lines).to.deep.equal([{ level: 'warn', event: 'billing.look_failed', fields }]);
  });

  it('continues at once only after a full page of users', async () => {
    for (const [due, count] of [
      [100, 100],
      [99, 0],
      [0, 0],
    ] as const)
      expect(await openCheck(Array(due).fill(userOf(9))).checkDue()).to.equal(count);
  });

  it('does not continue at once if all checks of a page fail', async () => {
    const { checkDue, lines } = openCheck(Array(100).fill(USER), USER);
    expect([await checkDue(), lines.length]).to.deep.equal([0, 100]);
  });
});
