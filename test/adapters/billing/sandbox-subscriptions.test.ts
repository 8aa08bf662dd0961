import { expect } from 'chai';
import { markPaid, newSubscription, press } from '../../../adapters/billing/sandbox-subscriptions.ts';
import type { Button } from '../../../core/billing/sandbox.ts';

const NOW = Date.UTC(2026, 0, 31);
const active = markPaid(newSubscription('sandbox-pro-monthly', 'checkout', NOW), NOW).next;
const subscriptionAfter = (...buttons: readonly Button[]) =>
  buttons.reduce((subscription, button) => press(subscription, button, NOW)?.next ?? subscription, active);

describe('The buttons of the sandbox’s portal', () => {
  it('renew an active subscription, and a cancelled one only after it is resumed', () => {
    expect(subscriptionAfter('renew').periodStart).to.equal(active.periodEnd);
    expect(press(subscriptionAfter('cancel'), 'renew', NOW)).to.equal(undefined);
    expect(subscriptionAfter('cancel', 'resume', 'renew').periodStart).to.equal(active.periodEnd);
  });

  it('renew on the day of the purchase, also after a month without that day', () => {
    const ends = [active, subscriptionAfter('renew'), subscriptionAfter('renew', 'renew')].map(
      ({ periodEnd }) => new Date(periodEnd).toISOString().slice(0, 10),
    );
    expect(ends).to.deep.equal(['2026-02-28', '2026-03-31', '2026-04-30']);
  });

  it('do not change a revoked subscription', () => {
    for (const button of ['cancel', 'resume', 'renew', 'revoke'] as const)
      expect(press(subscriptionAfter('revoke'), button, NOW), button).to.equal(undefined);
  });

  it('do not cancel a cancelled subscription or resume an active one', () => {
    expect(press(subscriptionAfter('cancel'), 'cancel', NOW)).to.equal(undefined);
    expect(press(active, 'resume', NOW)).to.equal(undefined);
  });
});
