import { expect } from 'chai';
import { makeCustomerRecords } from '../../../adapters/billing/sandbox-customers.ts';
import { openSandboxBilling } from '../../../adapters/billing/sandbox-provider.ts';
import { makeReadDelivery } from '../../../adapters/signed-deliveries/signature.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const SECRET = 'a-secret-that-somebody-chose-themselves';
const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('The events of the sandbox', () => {
  const folder = useTempFolder();
  const readDelivery = makeReadDelivery([SECRET]);

  /** A process whose billing fails after `storable` events. */
  const openProcess = (storable: number) => {
    const received: string[] = [];
    const sandbox = openSandboxBilling({
      records: makeCustomerRecords(folder()),
      secrets: [SECRET],
      origin: () => 'http://127.0.0.1',
      successUrl: () => 'https://app.example/success',
      returnUrl: () => 'https://app.example/billing',
      clock: { now: Date.now },
    });
    const buyerActions = sandbox.buyerActions({
      receiveEvent: async (headers, raw) => {
        if (received.length === storable) throw new Error('The store is down.');
        const { body } = readDelivery(headers, raw, Date.now());
        received.push(JSON.parse(body).type);
        return { received: true };
      },
    });
    return { received, sandbox, buyerActions };
  };
  const buyer = { userId: USER, email: 'ada@example.com', name: null, address: '127.0.0.1' };
  const PAID = ['customer.created', 'subscription.created', 'subscription.updated', 'subscription.active'];
  const tokenOf = (address: string | undefined) => address?.split('/').at(-1) ?? '';

  it('are stored by billing once, before the payment call returns', async () => {
    const { received, sandbox, buyerActions } = openProcess(9);
    const token = tokenOf(await sandbox.provider.checkout(buyer, 'pro', 'monthly'));
    await buyerActions.pay(token);
    expect(received).to.deep.equal(PAID);
    await buyerActions.pay(token);
    await buyerActions.portal(tokenOf(await sandbox.provider.portal(USER)));
    expect(received).to.deep.equal(PAID);
  });

  it('stay in the record if billing cannot store them, and are delivered by another process', async () => {
    const failing = openProcess(1);
    const token = tokenOf(await failing.sandbox.provider.checkout(buyer, 'pro', 'monthly'));
    expect(await rejectionOf(() => failing.buyerActions.pay(token))).to.be.instanceOf(Error);
    const { received, buyerActions } = openProcess(9);
    expect(await buyerActions.pay(token)).to.equal('https://app.example/success');
    expect(received).to.deep.equal(PAID);
  });
});
