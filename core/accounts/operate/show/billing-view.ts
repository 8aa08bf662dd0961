import type { BillingState } from '../../../billing/index.ts';

/** A subscription as it was last told of; times are ISO 8601. */
export interface SoldView {
  readonly id: string;
  readonly customerId: string;
  readonly status: string;
  readonly plan: string | null;
  readonly billingCycle: string | null;
  readonly productName: string;
  /** Hundredths of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly interval: string;
  readonly currentPeriodStart: string | null;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly revoked: boolean;
  readonly pastDueAt: string | null;
  readonly endedAt: string | null;
  readonly toldAt: string;
}

/** What billing knows of a user. */
export interface BillingView {
  readonly customers: readonly { readonly id: string; readonly deletedAt: string | null }[];
  readonly subscriptions: readonly SoldView[];
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const isoOf = (microseconds: number): string => new Date(Math.floor(microseconds / 1_000)).toISOString();

/** Null for a user who never went to buy anything. */
export const billingView = (state: BillingState | null): BillingView | null =>
  state && {
    customers: state.customers.map(({ id, deleted }) => ({
      id,
      deletedAt: deleted && isoOf(deleted.at),
    })),
    subscriptions: state.subscriptions.map(({ order, ...one }) => ({
      ...one,
      currentPeriodStart: iso(one.currentPeriodStart),
      currentPeriodEnd: iso(one.currentPeriodEnd),
      pastDueAt: iso(one.pastDueAt),
      endedAt: iso(one.endedAt),
      toldAt: isoOf(order.at),
    })),
  };
