import { billingAccess } from './access.ts';
import type { BillingPolicy } from './policy.ts';
import type { BillingChange } from './ports.ts';
import type { BillingState } from './subscription.ts';

const first = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** A state with what it grants at `now`, and when to look at it again. */
export const settleAccess = (
  state: BillingState,
  now: number,
  policy: BillingPolicy,
  actor: BillingChange['actor'],
): BillingChange => {
  const { best, since, changesAt, asksAt } = billingAccess(state, now, policy);
  // The provider's times are microseconds.
  const dueAt = first(changesAt, asksAt);
  return { state, plan: best?.plan ?? null, since, dueAt: dueAt === null ? null : Math.ceil(dueAt), actor };
};
