import { expect } from 'chai';
import type { Subscription } from '../../../core/billing/index.ts';
import { CoreError } from '../../../core/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { type OpenedBilling, openBilling, USER } from './open-billing.ts';
import { DOWN, live, makeAnswers } from './provider-answers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MARGIN = 300_000;
const NOW = Date.UTC(2026, 0, 1);
const END = NOW + 30 * DAY;
const userOf = (number: number) => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;

describe('Asking the provider', () => {
  let setup: OpenedBilling;
  let provider: ReturnType<typeof makeAnswers>;
  beforeEach(async () => {
    provider = makeAnswers(() => setup.time.now);
    setup = openBilling({}, { provider });
    await setup.addUser();
  });

  const sold = newSubscription({ id: 'sold', userId: USER }, NOW);
  const say = async (kind: string, overrides: Partial<typeof sold>, at: number) => {
    await setup.deliver(subscriptionEvent(kind, { ...sold, ...overrides }, at));
    await setup.settle();
  };
  const tier = async (id = USER) => (await setup.account(id)).access.tier;
  const answer = (userId: string, ...subscriptions: readonly Subscription[]) =>
    provider.answers.set(userId, { customerId: `customer of ${userId}`, subscriptions });
  const reconcile = (id = USER) => setup.billing.operate.reconcile(id);

  it('makes good an event that never came, either way', async () => {
    answer(USER, live());
    await reconcile();
    expect(await tier()).to.equal('pro');
    setup.time.now += 1_000;
    answer(USER);
    await reconcile();
    expect(await tier()).to.equal('free');
    answer(USER, live({ plan: 'pro-lite' }));
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

  it('changes nothing of who never bought', async () => {
    await reconcile();
    expect((await setup.account()).billing).to.equal(null);
  });

  it('is not undone by events older than the answer, and is by newer ones', async () => {
    await say('active', {}, NOW);
    setup.time.now = NOW + HOUR;
    answer(USER);
    await reconcile();
    await say('updated', {}, NOW + HOUR - 1);
    await say('active', { id: 'another' }, NOW + HOUR - 1);
    expect(await tier()).to.equal('free');
    await say('active', {}, NOW + HOUR + 1);
    expect(await tier()).to.equal('pro');
  });

  it('leaves what came about while it asked', async () => {
    await say('active', {}, NOW);
    answer(USER);
    const { stateOf } = provider;
    setup = openBilling(
      {},
      {
        shared: setup.shared,
        provider: {
          stateOf: async (userId) => {
            const state = await stateOf(userId);
            await say('updated', {}, NOW + HOUR);
            return state;
          },
        },
      },
    );
    await reconcile();
    expect(await tier()).to.equal('pro');
  });

  it('makes events of the customer due that waited for the user', async () => {
    answer(USER, live());
    const nameless = { ...sold, userId: null, customerId: `customer of ${USER}` };
    await setup.deliver(
      subscriptionEvent('active', { ...nameless, productId: 'prod-lite-year' }, NOW + HOUR),
    );
    await setup.settle();
    expect(await setup.ledger.count('waiting')).to.equal(1);
    await reconcile();
    await setup.settle();
    expect(await tier()).to.equal('pro-lite');
  });

  it('changes nothing while there is no answer, and says why', async () => {
    await say('active', {}, NOW);
    provider.answers.set(USER, DOWN);
    expect(await rejectionOf(() => reconcile())).to.include({ code: 'billing_unavailable' });
    expect(await tier()).to.equal('pro');
    expect(await rejectionOf(() => reconcile(userOf(9)))).to.include({ code: 'user_not_found' });
    expect(provider.asked).to.deep.equal([USER]);
  });

  it('about everybody goes page by page, counts what fails, and asks nobody who never bought', async () => {
    const count = 205;
    const ids = Array.from({ length: count }, (_, place) => userOf(place + 1));
    for (const id of ids) {
      await setup.addUser(id);
      await setup.store.save({ ...(await setup.account(id)), billing: { ...EMPTY }, billingDueAt: null });
      answer(id, live({ id: `of ${id}` }));
    }
    provider.answers.set(userOf(7), DOWN);
    provider.answers.set(userOf(150), new CoreError('unavailable', 'provider_unavailable', 'Odd.'));
    const progress: number[] = [];
    expect(await setup.billing.operate.countCustomers()).to.equal(count);
    const done = await setup.billing.operate.reconcileAll(
      ({ asked, failed }) => progress.push(asked + failed),
      noPause,
    );
    expect(done).to.deep.equal({ asked: count - 2, failed: 2 });
    expect(progress).to.deep.equal(ids.map((_, place) => place + 1));
    expect(provider.asked.toSorted()).to.deep.equal(ids);
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

  it('about everybody counts nobody whose account is deleted meanwhile, and ends at a failure of another kind', async () => {
    const { subscribers } = setup.accounts;
    const listed = async (after: string | null) => (after === null ? [userOf(9), USER] : []);
    const { billing } = openBilling(
      { subscribers: { ...subscribers, list: listed } },
      { shared: setup.shared, provider },
    );
    const progress: unknown[] = [];
    const reconcileAll = () => billing.operate.reconcileAll((done) => progress.push(done), noPause);
    expect(await reconcileAll()).to.deep.equal({ asked: 1, failed: 0 });
    expect(progress).to.deep.equal([{ asked: 1, failed: 0 }]);
    provider.answers.set(USER, new TypeError('odd'));
    expect(await rejectionOf(reconcileAll)).to.be.instanceOf(TypeError);
  });

  it('about everybody makes the pauses that it asks for, and gives up on a user after five attempts', async () => {
    const ids = [1, 2, 3].map(userOf);
    for (const id of ids) {
      await setup.addUser(id);
      await setup.store.save({ ...(await setup.account(id)), billing: { ...EMPTY }, billingDueAt: null });
      answer(id, live({ id: `of ${id}` }));
    }
    provider.throttled.push(...Array(2).fill(userOf(1)), ...Array(5).fill(userOf(2)));
    const pauses: number[] = [];
    const done = await setup.billing.operate.reconcileAll(
      () => undefined,
      async (milliseconds) => {
        pauses.push(milliseconds);
      },
    );
    expect(done).to.deep.equal({ asked: 2, failed: 1 });
    expect(pauses).to.deep.equal(Array(6).fill(17_000));
    expect(await Promise.all(ids.map(tier))).to.deep.equal(['pro', 'free', 'pro']);
  });

  describe('An answer of the provider close to an event', () => {
    it('drops no purchase where our clock is ahead of the provider’s', async () => {
      setup.time.now = NOW + HOUR;
      provider.given.asOf = () => NOW + HOUR - 2_000;
      answer(USER);
      await reconcile();
      // Bought a second after the answer, by a clock that is two behind ours.
      await say('active', {}, NOW + HOUR - 1_000);
      expect(await tier()).to.equal('pro');
      answer(USER, live());
      setup.time.now = NOW + HOUR + MARGIN;
      await setup.billing.background.checkDue();
      expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
    });

    it('is asked again at a whole millisecond, though the provider tells microseconds', async () => {
      setup.time.now = NOW + HOUR;
      provider.given.asOf = () => NOW + HOUR - 2_000;
      answer(USER);
      await reconcile();
      const { id, body } = subscriptionEvent('active', sold, NOW + HOUR);
      const timestamp = new Date(NOW + HOUR).toISOString().replace('Z', '123Z');
      await setup.deliver({ id, body: JSON.stringify({ ...JSON.parse(body), timestamp }) });
      await setup.settle();
      expect((await setup.account()).billingDueAt).to.equal(NOW + HOUR + MARGIN + 1);
    });

    it('goes by no answer at once in what is near it, where the provider does not say of when it is', async () => {
      provider.given.asOf = () => null;
      await say('active', {}, NOW + HOUR - MARGIN - 1);
      await say('active', { id: 'another' }, NOW + HOUR - MARGIN + 1);
      setup.time.now = NOW + HOUR;
      answer(USER);
      await reconcile();
      const { subscriptions } = (await setup.account()).billing ?? { subscriptions: [] };
      expect(subscriptions.map(({ id, status }) => [id, status])).to.deep.equal([
        ['another', 'active'],
        ['sold', 'canceled'],
      ]);
    });

    it('keeps what is newer by its date, and asks once more, though its date stands still', async () => {
      setup.time.now = NOW + HOUR;
      provider.given.asOf = () => NOW + HOUR - 2_000;
      await say('active', {}, NOW + HOUR - 1_000);
      answer(USER);
      await reconcile();
      setup.time.now += 2 * MARGIN;
      await setup.billing.background.checkDue();
      expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
      // What is left is the check of the renewal, a day after the end of the period.
      expect((await setup.account()).billingDueAt).to.equal(NOW + 31 * DAY);
    });

    for (const ahead of [HOUR / 2, 2 * DAY])
      it(`drops no later purchase, though our clock was ${ahead / HOUR} h ahead when it asked`, async () => {
        provider.given.asOf = () => NOW;
        answer(USER);
        setup.time.now = NOW + ahead;
        await reconcile();
        setup.time.now = NOW + 1_000;
        await say('active', {}, NOW + 1_000);
        expect([await tier(), (await setup.account()).billingDueAt]).to.deep.equal([
          'pro',
          NOW + 1_000 + MARGIN,
        ]);
        provider.given.asOf = () => setup.time.now;
        answer(USER, live());
        setup.time.now = NOW + 1_000 + MARGIN;
        await setup.billing.background.checkDue();
        expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
      });

    it('keeps a purchase that the answer does not name yet, and asks again until one of them is the newer', async () => {
      setup.time.now = NOW + HOUR;
      provider.given.asOf = () => setup.time.now - 2_000;
      await say('active', {}, NOW + HOUR - 1_000);
      answer(USER);
      await reconcile();
      expect(await tier()).to.equal('pro');
      const look = async (now: number) => {
        setup.time.now = now;
        await setup.billing.background.checkDue();
      };
      const doubtEnds = NOW + HOUR - 1_000 + MARGIN;
      await look(doubtEnds - 1);
      expect(provider.asked).to.have.length(1);
      provider.answers.set(USER, DOWN);
      await look(doubtEnds);
      expect([provider.asked.length, await tier()]).to.deep.equal([2, 'pro']);
      // A provider that gave no answer is not asked again for an hour.
      answer(USER);
      await look(doubtEnds + HOUR - 1);
      expect(provider.asked).to.have.length(2);
      await look(doubtEnds + HOUR);
      expect([provider.asked.length, await tier()]).to.deep.equal([3, 'free']);
      expect((await setup.account()).billingDueAt).to.equal(null);
    });
  });
});

const noPause = () => expect.fail('It asked for no pause.');
const EMPTY = { customers: [], subscriptions: [], granted: false, answered: null, triedAt: null } as const;

describe('What the time alone changes', () => {
  let setup: OpenedBilling;
  let provider: ReturnType<typeof makeAnswers>;
  beforeEach(() => {
    provider = makeAnswers(() => setup.time.now);
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
  const look = async (now: number) => {
    setup.time.now = now;
    await setup.billing.background.checkDue();
  };
  const tier = async (id = USER) => (await setup.account(id)).access.tier;
  const dueAt = async (id = USER) => (await setup.account(id)).billingDueAt;

  it('is nothing before it is due, and the end of the period from then on', async () => {
    await buy(USER, { cancelAtPeriodEnd: true });
    await look(END - 1);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END]);
    await look(END);
    expect([await tier(), await dueAt()]).to.deep.equal(['free', null]);
  });

  it('is a question a day after a renewal should have come, whose answer decides', async () => {
    await buy(USER);
    await look(END + DAY - 1);
    expect(provider.asked).to.deep.equal([]);
    provider.answers.set(USER, {
      customerId: `customer of ${USER}`,
      subscriptions: [live({ id: `of ${USER}` })],
    });
    await look(END + DAY);
    await look(END + 2 * DAY - 1);
    expect((await setup.account()).billing?.triedAt).to.equal(null);
    expect([provider.asked.length, await tier(), await dueAt()]).to.deep.equal([1, 'pro', END + 2 * DAY]);
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [] });
    await look(END + 2 * DAY);
    expect([provider.asked.length, await tier(), await dueAt()]).to.deep.equal([2, 'free', null]);
  });

  it('is a question once a day about a renewal, though the date of the answers stands still', async () => {
    await buy(USER);
    const answered = live({ id: `of ${USER}`, currentPeriodEnd: END });
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [answered] });
    provider.given.asOf = () => NOW + HOUR;
    for (const day of [1, 2, 3]) {
      await look(END + day * DAY);
      expect([provider.asked.length, await dueAt()]).to.deep.equal([day, END + (day + 1) * DAY]);
    }
  });

  it('is a question after a deletion was undone, whose events found no account, until there is an answer', async () => {
    await buy(USER);
    const restoredAt = NOW + HOUR;
    const { billing } = await setup.account();
    await setup.accounts.subscribers.change(USER, () => ({
      state: { ...(billing ?? EMPTY), restoredAt },
      ...{ plan: 'pro', since: NOW, dueAt: restoredAt, actor: 'system' },
    }));
    provider.answers.set(USER, DOWN);
    await look(restoredAt);
    expect([provider.asked.length, await tier(), await dueAt()]).to.deep.equal([1, 'pro', restoredAt + HOUR]);
    provider.answers.set(USER, { customerId: `customer of ${USER}`, subscriptions: [] });
    await look(restoredAt + HOUR);
    expect([provider.asked.length, await tier(), await dueAt()]).to.deep.equal([2, 'free', null]);
  });

  it('leaves the plan while there is no answer, or a broken one, and asks again in an hour', async () => {
    await buy(USER);
    provider.answers.set(USER, DOWN);
    await look(END + DAY);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END + DAY + HOUR]);
    const fields = { userId: USER, error: DOWN };
    expect(setup.lines.at(-1)).to.deep.equal({ level: 'warn', event: 'billing.reconcile_failed', fields });
    provider.answers.set(USER, new TypeError('an answer of another kind'));
    await look(END + DAY + HOUR);
    expect([await tier(), await dueAt()]).to.deep.equal(['pro', END + DAY + 2 * HOUR]);
    await look(END + 30 * DAY);
    expect(await tier()).to.equal('pro');
  });

  it('ends periods at once however many wait for a provider that is down, which is asked once', async () => {
    for (const place of Array.from({ length: 20 }, (_, number) => number + 1)) {
      await buy(userOf(place));
      provider.answers.set(userOf(place), DOWN);
    }
    await buy(USER, { cancelAtPeriodEnd: true, periodEnd: END + DAY });
    await look(END + DAY);
    expect(await tier()).to.equal('free');
    expect(provider.asked).to.have.length(1);
    expect(await setup.store.listWhere({ fact: 'billing_due', now: END + DAY }, 100)).to.deep.equal([]);
  });

  it('is asked about again in an hour, though the period of another subscription ends meanwhile', async () => {
    await buy(USER);
    const other = { id: 'lite', userId: USER, productId: 'prod-lite-year', cancelAtPeriodEnd: true };
    const ending = newSubscription({ ...other, periodEnd: END + DAY + HOUR / 2 }, NOW);
    await setup.deliver(subscriptionEvent('active', ending, NOW));
    await setup.settle();
    provider.answers.set(USER, DOWN);
    await look(END + DAY);
    expect(await dueAt()).to.equal(END + DAY + HOUR / 2);
    await look(END + DAY + HOUR / 2);
    expect([provider.asked.length, await dueAt()]).to.deep.equal([1, END + DAY + HOUR]);
  });

  it('is still asked about of others where the provider refuses to answer about one', async () => {
    const [refused, other] = [userOf(1), userOf(2)];
    for (const id of [refused, other]) await buy(id);
    provider.answers.set(refused, new CoreError('refused', 'billing_refused', 'No.'));
    await look(END + DAY);
    expect(provider.asked).to.have.members([refused, other]);
  });

  /** The checks over what a list calls due; the accounts of one user cannot be changed. */
  const checking = (due: readonly string[], locked?: string) => {
    const { subscribers } = setup.accounts;
    const checked = openBilling(
      {
        subscribers: {
          ...subscribers,
          listDue: async () => due,
          change: async (id, decide) => {
            if (id === locked) throw DOWN;
            return subscribers.change(id, decide);
          },
        },
      },
      { shared: setup.shared, provider },
    );
    checked.time.now = END;
    return { lines: checked.lines, checkDue: checked.billing.background.checkDue };
  };

  it('is nothing for who has no billing any more', async () => {
    await setup.addUser(USER);
    const { checkDue, lines } = checking([USER, userOf(9)]);
    await checkDue();
    expect([provider.asked, lines, (await setup.account()).billing]).to.deep.equal([[], [], null]);
  });

  it('ends the period of others where the change of one fails', async () => {
    for (const id of [USER, userOf(1)]) await buy(id, { cancelAtPeriodEnd: true });
    const { checkDue, lines } = checking([USER, userOf(1)], USER);
    await checkDue();
    expect([await tier(), await tier(userOf(1))]).to.deep.equal(['pro', 'free']);
    const fields = { userId: USER, error: DOWN };
    expect(lines).to.deep.equal([{ level: 'warn', event: 'billing.look_failed', fields }]);
  });

  it('is looked at again at once only after a full page of users', async () => {
    for (const [due, count] of [
      [100, 100],
      [99, 0],
      [0, 0],
    ] as const)
      expect(await checking(Array(due).fill(userOf(9))).checkDue()).to.equal(count);
  });

  it('is not looked at again at once where the checks of a whole page fail', async () => {
    const { checkDue, lines } = checking(Array(100).fill(USER), USER);
    expect([await checkDue(), lines.length]).to.deep.equal([0, 100]);
  });
});
