import { checkArguments, completePolicy, requirePorts } from '../check-arguments.ts';
import { BYTES, CALL, list, nullable, OBJECT, optional, TEXT } from '../schema.ts';
import type { Billing } from './api.ts';
import { makeApplyEvents } from './apply-events.ts';
import { makeCheckDueSubscriptions } from './check-due.ts';
import { checkoutInput, makeCheckout, makeOpenPortal } from './checkout.ts';
import type { Deps } from './deps.ts';
import { makeReplay } from './failed-events.ts';
import { makeForgetCustomer } from './forget-customer.ts';
import { listEventsInput, makeListEvents, makeListEventsOf } from './list-events.ts';
import { makeListPlans } from './list-plans.ts';
import { type BillingPolicy, defaultBillingPolicy } from './policy.ts';
import type { BillingPorts } from './ports.ts';
import { makePriceOf } from './price-in-zloty.ts';
import { makeReceiveEvent } from './receive-event.ts';
import { makeCountCustomers, makeReconcile, makeReconcileAll } from './reconcile.ts';
import { makeShowSubscription } from './show-subscription.ts';

const billingArguments = {
  checkout: { userId: TEXT, input: checkoutInput, address: TEXT },
  openPortal: { userId: TEXT },
  showSubscription: { userId: TEXT },
  receiveEvent: { headers: OBJECT, raw: BYTES },
  forget: { userId: TEXT, customerIds: list(TEXT) },
  changeEmail: { userId: TEXT, email: TEXT },
};

const billingAdminArguments = {
  reconcile: { userId: TEXT },
  reconcileAll: { onProgress: CALL, pause: CALL },
  listEvents: { filter: listEventsInput },
  listEventsOf: { userId: TEXT },
  replay: { id: nullable(TEXT), beforeRetry: optional(CALL) },
};

/** The most events that one sweep removes. */
const SWEEP_LIMIT = 500;

export type { Billing };

/** Creates the billing use cases from ports and policy; absent numbers of the policy have their defaults. */
export const createBilling = (ports: BillingPorts, policy: Partial<BillingPolicy> = {}): Billing => {
  requirePorts(ports, policy);
  const deps: Deps = { ...ports, policy: completePolicy(defaultBillingPolicy, policy) };
  const { clock, ledger } = deps;
  const applyEvents = makeApplyEvents(deps);
  const priceOf = makePriceOf(deps);

  const applyAll = async (): Promise<void> => {
    while ((await applyEvents()) > 0);
  };

  const calls: Billing = {
    checkout: makeCheckout(deps),
    openPortal: makeOpenPortal(deps),
    showSubscription: makeShowSubscription(deps, priceOf),
    listPlans: makeListPlans(deps, priceOf),
    receiveEvent: makeReceiveEvent(deps),
    forget: makeForgetCustomer(deps),
    changeEmail: (userId, email) => deps.provider.changeEmail(userId, email),
    operate: checkArguments(
      {
        reconcile: makeReconcile(deps),
        reconcileAll: makeReconcileAll(deps),
        countCustomers: makeCountCustomers(deps),
        listEvents: makeListEvents(deps),
        listEventsOf: makeListEventsOf(deps),
        replay: makeReplay(deps, applyAll),
      },
      billingAdminArguments,
    ),
    background: {
      applyEvents,
      checkDue: makeCheckDueSubscriptions(deps),
      sweepEvents: () => ledger.sweep(clock.now() - deps.policy.eventLifeMs, SWEEP_LIMIT),
    },
  };
  return checkArguments(calls, billingArguments);
};
