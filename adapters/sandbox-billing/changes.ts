import { randomUUID } from 'node:crypto';
import type { SandboxSubscription } from './book.ts';
import { productById } from './catalogue.ts';

/** What a person can do to a subscription in the portal. */
export const BUTTONS = ['cancel', 'resume', 'renew', 'revoke'] as const;
export type Button = (typeof BUTTONS)[number];

/** The end of a period that begins then: the same day of the next month or year, or its last. */
const periodEnd = (productId: string, start: number): number => {
  const from = new Date(start);
  const months = productById(productId)?.cycle === 'yearly' ? 12 : 1;
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(from.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), days));
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
  periodEnd: periodEnd(productId, now),
  cancelAtPeriodEnd: false,
  canceledAt: null,
  endedAt: null,
});

/** A subscription after a change, and the kinds of events that tell of it. */
export interface Change {
  readonly next: SandboxSubscription;
  readonly kinds: readonly string[];
}

/** Whether it still gives its buyer something. */
export const isLive = (one: SandboxSubscription, now: number): boolean =>
  one.status === 'active' && (!one.cancelAtPeriodEnd || one.periodEnd > now);

export const paid = (one: SandboxSubscription, now: number): Change => ({
  next: { ...one, status: 'active', modifiedAt: now },
  kinds: ['updated', 'active'],
});

/** What a button does; undefined where it has no meaning now. */
export const press = (one: SandboxSubscription, button: Button, now: number): Change | undefined => {
  if (!isLive(one, now)) return undefined;
  const changed = { ...one, modifiedAt: now };
  switch (button) {
    case 'cancel':
      if (one.cancelAtPeriodEnd) return undefined;
      return {
        next: { ...changed, cancelAtPeriodEnd: true, canceledAt: now },
        kinds: ['updated', 'canceled'],
      };
    case 'resume':
      if (!one.cancelAtPeriodEnd) return undefined;
      return {
        next: { ...changed, cancelAtPeriodEnd: false, canceledAt: null },
        kinds: ['updated', 'uncanceled'],
      };
    case 'renew':
      if (one.cancelAtPeriodEnd) return undefined;
      return {
        next: { ...changed, periodStart: one.periodEnd, periodEnd: periodEnd(one.productId, one.periodEnd) },
        kinds: ['updated', 'active'],
      };
    case 'revoke':
      return {
        next: { ...changed, status: 'canceled', canceledAt: one.canceledAt ?? now, endedAt: now },
        kinds: ['updated', 'canceled', 'revoked'],
      };
  }
};
