import type { BillingChange, Subscribers } from '../../billing/index.ts';
import type { Account } from '../account.ts';
import {
  type Access,
  type Entitlement,
  FREE,
  isPremiumTier,
  newEntitlement,
  SERVICE,
  type SelfEntitlement,
} from '../entitlement.ts';
import type { Kit } from '../kit.ts';
import { withPending } from '../pending.ts';
import { entitlementOf, withEntitlement } from './entitle.ts';
import { entitlementFacts } from './entitlement-facts.ts';

/** An entitlement with its billing state. Undefined if there is none and billing grants nothing. */
const billed = (
  found: Entitlement | undefined,
  { plan, since, state }: BillingChange,
  make: () => Entitlement,
): Entitlement | undefined => {
  if (plan !== null) {
    const billing = { tier: plan, isPremium: isPremiumTier(plan), at: since };
    return { ...(found ?? make()), billing };
  }
  // An event may grant access that is over by now: events arrive in any order.
  if (!state.granted && (found?.billing ?? null) === null) return found;
  return { ...(found ?? make()), billing: { ...FREE, at: since } };
};

const sameAccess = (one: Access | null | undefined, other: Access | null | undefined): boolean =>
  one?.tier === other?.tier && one?.isPremium === other?.isPremium;

/** What differs, with the tier that billing gives: an operator's grant may stand above it. */
const billingFacts = (
  before: Entitlement | undefined,
  after: Entitlement,
  self: SelfEntitlement,
  digest: Kit['digest'],
) => {
  const facts = entitlementFacts(before, after, self, digest);
  const billedTier = ({ billing }: Entitlement) => ({ billedTier: billing?.tier ?? null });
  return {
    ...(before !== undefined && { before: { ...facts.before, ...billedTier(before) } }),
    after: { ...facts.after, ...billedTier(after) },
  };
};

/** The accounts as billing sees them. What it says is written with its audit row and its event, in one write. */
export const makeSubscribers = (kit: Kit): Subscribers => {
  const { accounts, change, clock, digest, entries, newId, policy } = kit;
  const self = policy.selfEntitlement;

  const changed = (account: Account, made: BillingChange): Account => {
    const base: Account = { ...account, billing: made.state, billingDueAt: made.dueAt };
    const now = clock.now();
    const before = entitlementOf(account, SERVICE);
    const after = billed(before, made, () => newEntitlement(newId(), SERVICE, now));
    if (after === undefined) return base;
    const billedSo = withEntitlement(base, after, self);
    // What billing says again may count for more than a claim made since.
    const moved = !sameAccess(account.access, billedSo.access);
    if (!moved && sameAccess(before?.billing, after.billing)) return billedSo;
    const row = entries.audit({
      action: 'billing.changed',
      actor: made.actor,
      target: account.id,
      ...billingFacts(before, after, self, digest),
      caller: null,
    });
    const next = withPending(withEntitlement(base, { ...after, updatedAt: now }, self), row);
    return moved ? withPending(next, entries.event('entitlement.changed', account.id)) : next;
  };

  return {
    find: async (userId) => {
      const account = await accounts.find(userId);
      if (account === undefined || account.deletedAt !== null) return undefined;
      const { email, displayName, billing } = account;
      return { userId, email, name: displayName, state: billing };
    },
    knows: async (userId) => (await accounts.find(userId)) !== undefined,
    change: (userId, decide) =>
      change<boolean>(
        () => accounts.find(userId),
        (account) => {
          if (account === undefined || account.deletedAt !== null) return { next: null, answer: false };
          const made = decide(account.billing);
          return { next: made === undefined ? null : changed(account, made), answer: true };
        },
      ),
    listDue: async (now, limit) => (await accounts.listBillingDue(now, limit)).map(({ id }) => id),
    list: async (after, limit) => (await accounts.listBilled(after, limit)).map(({ id }) => id),
  };
};
