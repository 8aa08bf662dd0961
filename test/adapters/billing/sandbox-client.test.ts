import { expect } from 'chai';
import { makeCustomerRecords } from '../../../adapters/billing/sandbox-customers.ts';
import { customerWire, eventBody } from '../../../adapters/billing/sandbox-polar-objects.ts';
import { openSandboxBilling, type SandboxBilling } from '../../../adapters/billing/sandbox-provider.ts';
import { makeParseEvent } from '../../../adapters/signed-deliveries/polar-events.ts';
import type { Headers } from '../../../adapters/signed-deliveries/signature.ts';
import { BUTTONS, type Button, type BuyerActions } from '../../../core/billing/sandbox.ts';
import { loadValidateEvent } from '../../support/servers/polar-client.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const SECRET = 'a-secret-that-somebody-chose-themselves';
const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

interface Received {
  readonly headers: Headers;
  readonly body: string;
}

describe('The webhook deliveries of the sandbox', () => {
  const folder = useTempFolder();
  let validateEvent: ReturnType<typeof loadValidateEvent>;
  before(() => {
    validateEvent = loadValidateEvent();
  });
  /** Parses a delivery with Polar's own client, which throws for an invalid signature or an unknown format. */
  const validate = ({ body, headers }: Received) =>
    validateEvent(
      body,
      {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      },
      SECRET,
    );

  let deliveries: Received[];
  let sandbox: SandboxBilling;
  let buyerActions: BuyerActions;
  beforeEach(() => {
    deliveries = [];
    sandbox = openSandboxBilling({
      records: makeCustomerRecords(folder()),
      secrets: [SECRET],
      origin: () => 'http://127.0.0.1',
      successUrl: () => 'https://app.example/success',
      returnUrl: () => 'https://app.example/billing',
      clock: { now: Date.now },
    });
    buyerActions = sandbox.buyerActions({
      receiveEvent: async (headers, raw) => {
        deliveries.push({ headers, body: Buffer.from(raw).toString() });
        return { received: true };
      },
    });
  });

  const tokenOf = (address: string | undefined) => address?.split('/').at(-1) ?? '';
  const buy = async (plan: string, cycle: 'monthly' | 'yearly') => {
    const buyer = { userId: USER, email: 'ada@example.com', name: null, address: '127.0.0.1' };
    return buyerActions.pay(tokenOf(await sandbox.provider.checkout(buyer, plan, cycle)));
  };
  const press = async (button: Button) => {
    const token = tokenOf(await sandbox.provider.portal(USER));
    const [subscription] = (await buyerActions.portal(token))?.subscriptions ?? [];
    return buyerActions.press(token, subscription?.id ?? '', button);
  };

  it('are valid for Polar’s own client, for each event of every button', async () => {
    for (const [plan, cycle] of [
      ['pro', 'monthly'],
      ['pro-lite', 'yearly'],
    ] as const) {
      deliveries.length = 0;
      const isFirst = plan === 'pro';
      await buy(plan, cycle);
      for (const button of BUTTONS) await press(button);
      expect(deliveries).to.have.length(isFirst ? 13 : 12);
      const kinds = deliveries.map((delivery) => validate(delivery).type);
      expect(kinds).to.include.members([
        'subscription.created',
        'subscription.active',
        'subscription.updated',
        'subscription.canceled',
        'subscription.uncanceled',
        'subscription.revoked',
      ]);
      expect(kinds.includes('customer.created')).to.equal(isFirst);
      for (const { body } of deliveries) expect(JSON.parse(body).api_version).to.equal('2026-10');
    }
  });

  it('yield equal data in Polar’s client and in billing', async () => {
    await buy('pro', 'yearly');
    expect(deliveries).to.have.length(4);
    const parseEvent = makeParseEvent({
      pro: { yearly: '5a9db000-0000-4000-8000-000000000004' },
    });
    for (const delivery of deliveries) {
      const polarEvent = validate(delivery);
      const billingEvent = parseEvent({ id: String(delivery.headers['webhook-id']), body: delivery.body });
      expect(billingEvent?.userId).to.equal(USER);
      if (polarEvent.type === 'customer.created') {
        expect(billingEvent?.customerId).to.equal(polarEvent.data.id);
        continue;
      }
      if (polarEvent.type !== 'subscription.active' || billingEvent?.about !== 'subscription') continue;
      expect(billingEvent.subscription).to.deep.include({
        id: polarEvent.data.id,
        status: polarEvent.data.status,
        plan: 'pro',
        billingCycle: 'yearly',
        productName: polarEvent.data.product.name,
        amount: polarEvent.data.amount,
        currentPeriodStart: polarEvent.data.currentPeriodStart.getTime(),
        currentPeriodEnd: polarEvent.data.currentPeriodEnd?.getTime(),
      });
    }
  });

  it('are valid for Polar’s client if a customer is created, updated or deleted', async () => {
    const record = {
      customerId: 'c',
      userId: USER,
      email: 'ada@example.com',
      name: 'Ada',
      createdAt: 1,
      told: true,
      subscriptions: [],
    };
    const { Webhook } = await import('standardwebhooks');
    const webhook = new Webhook(Buffer.from(SECRET), { format: 'raw' });
    const now = new Date();
    for (const [kind, deletedAt] of [
      ['created', null],
      ['updated', null],
      ['deleted', 5],
    ] as const) {
      const body = eventBody(`customer.${kind}`, Date.now(), 0, customerWire(record, deletedAt));
      const headers = {
        'webhook-id': 'evt',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': webhook.sign('evt', now, body),
      };
      expect(validateEvent(body, headers, SECRET).type).to.equal(`customer.${kind}`);
    }
  });
});
