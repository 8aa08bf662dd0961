import { expect } from 'chai';
import fc from 'fast-check';
import { makeParseEvent } from '../../../adapters/signed-deliveries/polar-events.ts';
import { foldEvent, type ProviderEvent } from '../../../core/billing/fold-events.ts';
import { defaultBillingPolicy } from '../../../core/billing/policy.ts';
import { NO_BILLING } from '../../../core/billing/subscription.ts';
import { billingAccess } from '../../../core/billing/subscription-access.ts';
import { race } from '../../contracts/race.ts';
import { ROUNDS } from '../../support/rounds.ts';
import { historyOf, type PolarEvent, PRODUCTS, type Step } from '../../support/servers/polar-events.ts';
import { openBilling } from './open-billing.ts';

const STARTS_AT = Date.UTC(2026, 0, 1);
const HISTORIES = process.env.LONG ? 1_000 : 10 * ROUNDS;

/** The steps of one subscription, the position of each event among the deliveries, and the repeated events. */
const histories = fc.record({
  steps: fc.array(
    fc.constantFrom<Step>('renew', 'fail', 'recover', 'cancel', 'resume', 'revoke', 'end', 'delete'),
    { maxLength: 8 },
  ),
  places: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  again: fc.array(fc.nat(), { maxLength: 10 }),
});

const shuffled = (events: readonly PolarEvent[], { places, again }: { places: number[]; again: number[] }) =>
  [...events, ...again.map((index) => events[index % events.length] as PolarEvent)]
    .map((event, at) => ({ event, place: places[at % places.length] ?? 0 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event);

describe('An unordered event history', () => {
  const parseEvent = makeParseEvent(PRODUCTS);
  const stateOf = (events: readonly PolarEvent[]) =>
    events
      .map((event): ProviderEvent => {
        const providerEvent = parseEvent(event);
        if (providerEvent === undefined) throw new Error(`${event.type} is not a known event.`);
        return providerEvent;
      })
      .reduce(foldEvent, NO_BILLING);

  it('results in the state and access of the ordered history, even if events are repeated', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 0, max: 400 }), (history, days) => {
        const events = historyOf({ userId: 'u', customerId: 'c', beginsAt: STARTS_AT }, history.steps);
        const [expected, actual] = [stateOf(events), stateOf(shuffled(events, history))];
        expect(actual).to.deep.equal(expected);
        const now = STARTS_AT + days * 86_400_000;
        expect(billingAccess(actual, now, defaultBillingPolicy)).to.deep.equal(
          billingAccess(expected, now, defaultBillingPolicy),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it(`leaves equal accounts after ${HISTORIES} parallel histories with a restart`, async function () {
    this.timeout(300_000 + HISTORIES * 2_000);
    let setup = openBilling();
    const userOf = (number: number) => `01890a5d-ac96-774b-bcce-${String(number).padStart(12, '0')}`;

    /** The final state of the account, without the ids that differ between the two accounts. */
    const outcomeOf = async (userId: string) => {
      const { billing, access, billingDueAt, entitlements } = await setup.account(userId);
      const { subscriptions, customers } = billing ?? NO_BILLING;
      return {
        subscriptions: subscriptions.map(({ id: _id, customerId: _customer, order, ...rest }) => ({
          ...rest,
          at: order.at,
          rank: order.rank,
        })),
        deleted: customers.map(({ deleted }) => deleted?.at ?? null),
        access,
        billingDueAt,
        granted: entitlements[0]?.billing ?? null,
      };
    };
    const deliverAll = (events: readonly PolarEvent[]) =>
      race(events.length, async (place) => {
        const event = events[place];
        if (event === undefined) return;
        await setup.deliver(event);
        await setup.billing.background.applyEvents();
      });

    let users = 0;
    const newHistory = async (steps: readonly Step[]) => {
      users += 1;
      const userId = userOf(users);
      await setup.addUser(userId);
      return {
        userId,
        events: historyOf({ userId, customerId: `customer ${users}`, beginsAt: STARTS_AT }, steps),
      };
    };

    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const ordered = await newHistory(history.steps);
        for (const event of ordered.events) await setup.deliver(event);
        await setup.settle();

        const reordered = await newHistory(history.steps);
        const delivered = shuffled(reordered.events, history);
        const middle = Math.floor(delivered.length / 2);
        await deliverAll(delivered.slice(0, middle));
        // These events are stored but not applied; the next process applies them.
        for (const event of delivered.slice(middle, middle + 2)) await setup.deliver(event);
        setup = openBilling({}, { shared: setup.shared });
        await deliverAll(delivered.slice(middle));
        await setup.settle();
        expect(await outcomeOf(reordered.userId)).to.deep.equal(await outcomeOf(ordered.userId));
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
  });
});
