import { expect } from 'chai';
import { unavailable } from '../../../core/index.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { openBilling, USER } from './open-billing.ts';

const NOW = Date.UTC(2026, 0, 1);
const by = { actor: 'operator:cli', reason: 'Asked for by phone' };
const NEW = 'new@example.com';

describe('The email of a customer at the payment provider', () => {
  const openWith = async () => {
    const given: string[][] = [];
    const state = { isDown: false };
    const changeEmail = async (...values: string[]) => {
      if (state.isDown) throw unavailable('billing_unavailable', 'Down.', 5);
      given.push(values);
    };
    const setup = openBilling({}, { provider: { changeEmail } });
    await setup.addUser();
    return { ...setup, given, state };
  };

  it('changes with the email of the user, also if the provider is down at first', async () => {
    const { accounts, deliver, given, relay, settle, state, time } = await openWith();
    await deliver(
      subscriptionEvent('active', newSubscription({ userId: USER, customerId: 'customer' }, NOW), NOW),
    );
    await settle();
    state.isDown = true;
    await accounts.operate.setEmail(USER, NEW, by);
    await relay();
    expect(given).to.deep.equal([]);

    state.isDown = false;
    time.now += 60_000;
    await relay();
    expect(given).to.deep.equal([[USER, NEW]]);
  });

  it('is not sent for a user whom the provider does not know', async () => {
    const { accounts, given, relay } = await openWith();
    await accounts.operate.setEmail(USER, NEW, by);
    await relay();
    expect(given).to.deep.equal([]);
  });

  it('is not sent for a user who was deleted meanwhile', async () => {
    const { accounts, deliver, given, relay, settle, state, time } = await openWith();
    await deliver(
      subscriptionEvent('active', newSubscription({ userId: USER, customerId: 'customer' }, NOW), NOW),
    );
    await settle();
    state.isDown = true;
    await accounts.operate.setEmail(USER, NEW, by);
    await accounts.operate.deleteUser(USER, by);
    state.isDown = false;
    time.now += 60_000;
    await relay();
    expect(given).to.deep.equal([]);
  });
});
