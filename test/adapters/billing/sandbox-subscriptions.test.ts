import { expect } from 'chai';
import { markPaid, newSubscription, press } from '../../../adapters/billing/sandbox-subscriptions.ts';
import type { Button } from '../../../core/billing/sandbox.ts';

const NOW = Date.UTC(2026, 0, 31);
const active = markPaid(newSubscription('sandbox-pro-monthly', 'checkout', NOW), NOW).next;
const pressed = (...buttons: readonly Button[]) =>
  buttons.reduce((subscription, button) => press(subscription, button, NOW)?.next ?? subscription, active);

describe('The buttons of the sandbox’s portal', () => {
  it('renew what goes on, and not what is cancelled until it is resumed', () => {
    expect(pressed('renew').periodStart).to.equal(active.periodEnd);
    expect(press(pressed('cancel'), 'renew', NOW)).to.equal(undefined);
    expect(pressed('cancel', 'resume', 'renew').periodStart).to.equal(active.periodEnd);
  });

  it('do nothing to what has ended', () => {
    for (const button of ['cancel', 'resume', 'renew', 'revoke'] as const)
      expect(press(pressed('revoke'), button, NOW), button).to.equal(undefined);
  });

  it('cancel and resume once', () => {
    expect(press(pressed('cancel'), 'cancel', NOW)).to.equal(undefined);
    expect(press(active, 'resume', NOW)).to.equal(undefined);
  });
});
