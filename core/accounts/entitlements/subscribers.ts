import type { BillingChange, Subscribers } from '../../billing/index.ts';
import { type Account, exists } from '../account.ts';
import type { Deps } from '../deps.ts';
import {
  type Entitlement,
  FREE,
  isPremiumTier,
  newEntitlement,
  SERVICE,
  type SelfEntitlement,
} from '../entitlement.ts';
import { withPending } from '../outbox-entries.ts';
import { entitlementFacts, entitlementOf, withEntitlement } from './change-entitlements.ts';
import { sameAccess } from './entitlement-rules.ts';

/** An entitlement with its access by billing. Undefined if there is no entitlement and billing never granted a plan. */
const withBilling = (
  entitlement: Entitlement | undefined,
  { plan, since, state }: BillingChange,
  create: () => Entitlement,
): Entitlement | undefined => {
  if (plan !== null) {
    const billing = { tier: plan, isPremium: isPremiumTier(plan), at: since };
    return { ...(entitlement ?? create()), billing };
  }
  // If billing never granted a plan, the entitlement stays as it is. A granted plan (`state.granted`) may have ended before its
  // first event came: then the entitlement has no `billing` yet.
  if (!state.granted && (entitlement?.billing ?? null) === null) return entitlement;
  return { ...(entitlement ?? create()), billing: { ...FREE, at: since } };
};

/** The changed fields, with the billed tier: an operator's grant may override it. */
const billingFacts = (
  before: Entitlement | undefined,
  after: Entitlement,
  self: SelfEntitlement,
  digest: Deps['digest'],
) => {
  const facts = entitlementFacts(before, after, self, digest);
  const billedTier = ({ billing }: Entitlement) => ({ billedTier: billing?.tier ?? null });
  return {
    ...(before !== undefined && { before: { ...facts.before, ...billedTier(before) } }),
    after: { ...facts.after, ...billedTier(after) },
  };
};

/** The accounts as billing sees them. A billing change is one write with its audit row and its event. */
export const makeSubscribers = (deps: Deps): Subscribers => {
  const { accounts, change, clock, digest, entries, newId, policy } = deps;
  const self = policy.selfEntitlement;

  const applyChange = (account: Account, billingChange: BillingChange): Account => {
    const base: Account = { ...account, billing: billingChange.state, billingDueAt: billingChange.dueAt };
    const now = clock.now();
    const before = entitlementOf(account, SERVICE);
    const after = withBilling(before, billingChange, () => newEntitlement(newId(), SERVICE, now));
    if (after === undefined) return base;
    const billedAccount = withEntitlement(base, after, self);
    // Access can change although the plan does not: this event ends a claim that the user has made since the last event.
    const isAccessChanged = !sameAccess(account.access, billedAccount.access);
    if (!isAccessChanged && sameAccess(before?.billing ?? null, after.billing)) return billedAccount;
    const row = entries.audit({
      action: 'billing.changed',
      actor: billingChange.actor,
      target: account.id,
      ...billingFacts(before, after, self, digest),
      caller: null,
    });
    const next = withPending(withEntitlement(base, { ...after, updatedAt: now }, self), row);
    return isAccessChanged ? withPending(next, entries.event('entitlement.changed', account.id)) : next;
  };

  return {
    find: async (userId) => {
      const account = await accounts.find(userId);
      if (!exists(account)) return undefined;
      const { email, displayName, billing } = account;
      return { userId, email, name: displayName, state: billing };
    },
    knows: async (userId) => (await accounts.find(userId)) !== undefined,
    change: (userId, decide) =>
      change<boolean>(
        () => accounts.find(userId),
        (account) => {
          if (!exists(account)) return { next: null, answer: false };
          const billingChange = decide(account.billing);
          return {
            next: billingChange === undefined ? null : applyChange(account, billingChange),
            answer: true,
          };
        },
      ),
    listDue: async (now, limit) =>
      (await accounts.listWhere({ fact: 'billing_due', now }, limit)).map(({ id }) => id),
    list: async (after, limit) =>
      (await accounts.listWhere({ fact: 'billed', after }, limit)).map(({ id }) => id),
  };
};
