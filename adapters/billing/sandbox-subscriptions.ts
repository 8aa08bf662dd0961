import { randomUUID } from 'node:crypto';
import type { Button } from '../../core/billing/sandbox.ts';
import { productById } from './sandbox-catalogue.ts';
import type { SandboxSubscription } from './sandbox-customers.ts';

/**
 * The end of a period that begins at `start`. It falls on the day of the month on which the subscription was created, or on the
 * last day of its month if that month is shorter.
 */
const endOfPeriod = (productId: string, start: number, createdAt: number): number => {
  const months = productById(productId)?.cycle === 'yearly' ? 12 : 1;
  const end = new Date(start);
  // The month is changed on the 1st: a day that the new month lacks, such as the 31st, would move the date a month further.
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(new Date(createdAt).getUTCDate(), daysInMonth));
  return end.getTime();
};

export const newSubscription = (productId: string, checkoutId: string, now: number): SandboxSubscription => ({
  id: randomUUID(),
  checkoutId,
  productId,
  status: 'incomplete',
  createdAt: now,
  modifiedAt: null,
  periodStart: now,
  periodEnd: endOfPeriod(productId, now, now),
  cancelAtPeriodEnd: false,
  canceledAt: null,
  endedAt: null,
});

/** A subscription after a change, and the kinds of events about the change. */
export interface Change {
  readonly next: SandboxSubscription;
  readonly kinds: readonly string[];
}

/** Whether the subscription still grants its plan. Its period may have passed: only a press of `renew` starts the next. */
export const isLive = (subscription: SandboxSubscription, now: number): boolean =>
  subscription.status === 'active' && (!subscription.cancelAtPeriodEnd || subscription.periodEnd > now);

export const markPaid = (subscription: SandboxSubscription, now: number): Change => ({
  next: { ...subscription, status: 'active', modifiedAt: now },
  kinds: ['updated', 'active'],
});

/** The change of a button; undefined if the button has no effect now. */
export const press = (subscription: SandboxSubscription, button: Button, now: number): Change | undefined => {
  if (!isLive(subscription, now)) return undefined;
  const changed = { ...subscription, modifiedAt: now };
  switch (button) {
    case 'cancel':
      if (subscription.cancelAtPeriodEnd) return undefined;
      return {
        next: { ...changed, cancelAtPeriodEnd: true, canceledAt: now },
        kinds: ['updated', 'canceled'],
      };
    case 'resume':
      if (!subscription.cancelAtPeriodEnd) return undefined;
      return {
        next: { ...changed, cancelAtPeriodEnd: false, canceledAt: null },
        kinds: ['updated', 'uncanceled'],
      };
    case 'renew':
      if (subscription.cancelAtPeriodEnd) return undefined;
      return {
        next: {
          ...changed,
          periodStart: subscription.periodEnd,
          periodEnd: endOfPeriod(subscription.productId, subscription.periodEnd, subscription.createdAt),
        },
        kinds: ['updated', 'active'],
      };
    case 'revoke':
      return {
        next: { ...changed, status: 'canceled', canceledAt: subscription.canceledAt ?? now, endedAt: now },
        kinds: ['updated', 'canceled', 'revoked'],
      };
  }
};
