import { checkArguments } from '../arguments.ts';
import type { Billing } from './api.ts';
import { makeApplyEvents } from './apply-events.ts';
import { billingArguments, billingOperateArguments } from './arguments.ts';
import { makeCheckout, makeOpenPortal } from './checkout.ts';
import type { Kit } from './kit.ts';
import { makeListEvents, makeListEventsOf } from './list-events.ts';
import { makeListPlans } from './list-plans.ts';
import { makeLookAtDue } from './look-at-due.ts';
import { type BillingPolicy, defaultBillingPolicy } from './policy.ts';
import type { BillingPorts } from './ports.ts';
import { makeReceiveEvent } from './receive-event.ts';
import { makeCountCustomers, makeReconcile, makeReconcileAll } from './reconcile.ts';
import { makeReplay } from './replay.ts';
import { makeShowSubscription } from './show-subscription.ts';
import { makePriceOf } from './zloty.ts';

export type * from './ports.ts';
export type * from './state.ts';
export type * from './subscription.ts';

/** Events swept at once. */
const SWEPT = 500;

export type { Billing };

/** Makes the billing half of the product from ports, and from the numbers in `policy` (the defaults where absent). */
export const createBilling = (ports: BillingPorts, policy: Partial<BillingPolicy> = {}): Billing => {
  const kit: Kit = { ...ports, policy: { ...defaultBillingPolicy, ...policy } };
  const { clock, ledger, links, provider } = kit;
  const applyEvents = makeApplyEvents(kit);
  const priceOf = makePriceOf(kit);

  const applyAll = async (): Promise<void> => {
    while ((await applyEvents()) > 0);
  };

  const calls: Billing = {
    checkout: makeCheckout(kit),
    openPortal: makeOpenPortal(kit),
    showSubscription: makeShowSubscription(kit, priceOf),
    listPlans: makeListPlans(kit, priceOf),
    receiveEvent: makeReceiveEvent(kit),
    forget: async (userId: string, customerIds: readonly string[]): Promise<void> => {
      await ledger.eraseOf(userId, customerIds);
      await links.remove(userId);
      await provider.anonymise(userId);
    },
    operate: checkArguments(
      {
        reconcile: makeReconcile(kit),
        reconcileAll: makeReconcileAll(kit),
        countCustomers: makeCountCustomers(kit),
        listEvents: makeListEvents(kit),
        listEventsOf: makeListEventsOf(kit),
        replay: makeReplay(kit, applyAll),
      },
      billingOperateArguments,
    ),
    background: {
      applyEvents,
      lookAtDue: makeLookAtDue(kit),
      sweepEvents: () => ledger.sweep(clock.now() - kit.policy.eventKept, SWEPT),
    },
  };
  return checkArguments(calls, billingArguments);
};
