import { expect } from 'chai';
import { unavailable } from '../../../core/index.ts';
import { newSubscription, subscriptionEvent } from '../../support/servers/polar-events.ts';
import { openBilling, USER } from './open-billing.ts';
import { liveSubscription } from './provider-answers.ts';

const NOW = Date.UTC(2026, 0, 1);
const by = { actor: 'operator:cli', reason: 'Asked for by phone' };
const NEW = 'new@example.com';

describe('The email of a customer at the payment provider', () => {
  const openWith = async () => {
    const given: string[][] = [];
    const state = {
      isDown: false,
      /** The email of the customer at the provider. */
      email: undefined as string | undefined,
      beforeAnswer: async (): Promise<unknown> => undefined,
    };
    const changeEmail = async (...values: string[]) => {
      if (state.isDown) throw unavailable('billing_unavailable', 'Down.', 5);
      given.push(values);
    };
    const stateOf = async () => {
      await state.beforeAnswer();
      const customer = { customerId: 'customer', email: state.email, subscriptions: [liveSubscription()] };
      return { asOf: NOW, customer };
    };
    const setup = openBilling({}, { provider: { changeEmail, stateOf } });
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

  it('is corrected by a reconciliation if the provider has another one', async () => {
    const { billing, given, state } = await openWith();
    for (const email of [undefined, `${USER}@example.com`, `${USER}@EXAMPLE.com`]) {
      state.email = email;
      await billing.operate.reconcile(USER);
    }
    expect(given).to.deep.equal([]);
    state.email = 'former@example.com';
    await billing.operate.reconcile(USER);
    expect(given).to.deep.equal([[USER, `${USER}@example.com`]]);
  });

  it('is corrected to the one that the user has after the answer', async () => {
    const { accounts, billing, given, state } = await openWith();
    state.email = 'former@example.com';
    state.beforeAnswer = () => accounts.operate.setEmail(USER, NEW, by);
    await billing.operate.reconcile(USER);
    expect(given).to.deep.equal([[USER, NEW]]);
  });

  it('may fail to be corrected, and the reconciliation succeeds', async () => {
    const { billing, given, state, account } = await openWith();
    Object.assign(state, { email: 'former@example.com', isDown: true });
    await billing.operate.reconcile(USER);
    expect((await account()).access.tier).to.equal('pro');
    state.isDown = false;
    await billing.operate.reconcile(USER);
    expect(given).to.have.lengthOf(1);
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
