import { checkArguments } from '../arguments.ts';
import { makeApplyEvents } from './apply-events.ts';
import { billingArguments, billingOperateArguments } from './arguments.ts';
import { makeCheckout, makeOpenPortal } from './checkout.ts';
import type { Kit } from './kit.ts';
import { makeLookAtDue } from './look-at-due.ts';
import { type BillingPolicy, defaultBillingPolicy } from './policy.ts';
import type { BillingPorts } from './ports.ts';
import { makeReceiveEvent } from './receive-event.ts';
import { makeCountCustomers, makeReconcile, makeReconcileAll } from './reconcile.ts';
import { makeReplay } from './replay.ts';
import { makeShowSubscription } from './show-subscription.ts';

export type * from './ports.ts';
export type * from './state.ts';
export type * from './subscription.ts';

/** Events swept at once. */
const SWEPT = 500;

/** The billing half of the product: every use case, made from ports and the numbers that rule it. */
export const createBilling = (ports: BillingPorts, policy: Partial<BillingPolicy> = {}) => {
  const kit: Kit = { ...ports, policy: { ...defaultBillingPolicy, ...policy } };
  const { clock, ledger, links, provider } = kit;
  const applyEvents = makeApplyEvents(kit);

  /** Applies everything there is to be applied. */
  const applyAll = async (): Promise<void> => {
    while ((await applyEvents()) > 0);
  };

  const calls = {
    checkout: makeCheckout(kit),
    openPortal: makeOpenPortal(kit),
    showSubscription: makeShowSubscription(kit),
    receiveEvent: makeReceiveEvent(kit),
    /** Makes provider and ledger forget a user whose account is gone. May be repeated. */
    forget: async (userId: string, customerIds: readonly string[]): Promise<void> => {
      await ledger.eraseOf(userId, customerIds);
      await links.remove(userId);
      await provider.anonymise(userId);
    },
    operate: checkArguments(
      {
        reconcile: makeReconcile(kit),
        reconcileAll: makeReconcileAll(kit),
        /** How many users billing knows of. */
        countCustomers: makeCountCustomers(kit),
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

export type Billing = ReturnType<typeof createBilling>;
