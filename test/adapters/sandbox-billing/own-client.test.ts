import { expect } from 'chai';
import { makeBooks } from '../../../adapters/sandbox-billing/book.ts';
import { BUTTONS, type Button } from '../../../adapters/sandbox-billing/changes.ts';
import { sendOverHttp } from '../../../adapters/sandbox-billing/deliveries.ts';
import { openSandboxBilling, type SandboxBilling } from '../../../adapters/sandbox-billing/provider.ts';
import { customerWire, eventBody } from '../../../adapters/sandbox-billing/wire.ts';
import { makeUnderstand } from '../../../adapters/signed-deliveries/polar-events.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { loadValidateEvent } from '../../support/servers/polar-client.ts';
import { openStrictServer, type Received, type StrictServer } from '../../support/servers/strict-server.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const SECRET = 'a-secret-that-somebody-chose-themselves';
const USER = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('What the sandbox sends', () => {
  const folder = useTempFolder();
  let validateEvent: ReturnType<typeof loadValidateEvent>;
  before(() => {
    validateEvent = loadValidateEvent();
  });
  /** The event as the provider's own client gives it; throws for one that is not signed, or not as Polar writes it. */
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

  let drop: StrictServer;
  let sandbox: SandboxBilling;
  beforeEach(async () => {
    drop = await openStrictServer(() => ({ status: 200, body: '{"received":true}' }));
    sandbox = openSandboxBilling({
      books: makeBooks(folder()),
      send: sendOverHttp(() => drop.url),
      secrets: [SECRET],
      origin: () => drop.url,
      successUrl: () => 'https://app.example/success',
      returnUrl: () => 'https://app.example/billing',
      clock: { now: Date.now },
      log: makeRecordingLog(),
    });
  });
  afterEach(async () => {
    await sandbox.close();
    await drop.close();
  });

  const tokenOf = (address: string | undefined) => address?.split('/').at(-1) ?? '';
  const sent = async (count: number): Promise<readonly Received[]> => {
    const before = drop.requests.length;
    await until(() => drop.requests.length >= before + count);
    return drop.requests.slice(before);
  };
  const buy = async (plan: string, cycle: 'monthly' | 'yearly') => {
    const buyer = { userId: USER, email: 'ada@example.com', name: null, address: '127.0.0.1' };
    return sandbox.buyerActions.pay(tokenOf(await sandbox.provider.checkout(buyer, plan, cycle)));
  };
  const press = async (button: Button) => {
    const token = tokenOf(await sandbox.provider.portal(USER));
    const [subscription] = (await sandbox.buyerActions.portal(token))?.subscriptions ?? [];
    return sandbox.buyerActions.press(token, subscription?.id ?? '', button);
  };

  it('is what the provider’s own client takes for Polar’s, each event of every button', async () => {
    for (const [plan, cycle] of [
      ['pro', 'monthly'],
      ['pro-lite', 'yearly'],
    ] as const) {
      const events: Received[] = [];
      const isFirst = plan === 'pro';
      const bought = sent(isFirst ? 4 : 3);
      await buy(plan, cycle);
      events.push(...(await bought));
      const count: Readonly<Record<Button, number>> = { cancel: 2, resume: 2, renew: 2, revoke: 3 };
      for (const button of BUTTONS) {
        const deliveries = sent(count[button]);
        await press(button);
        events.push(...(await deliveries));
      }
      const kinds = events.map((event) => validate(event).type);
      expect(kinds).to.include.members([
        'subscription.created',
        'subscription.active',
        'subscription.updated',
        'subscription.canceled',
        'subscription.uncanceled',
        'subscription.revoked',
      ]);
      expect(kinds.includes('customer.created')).to.equal(isFirst);
      for (const { headers, body } of events) {
        expect([headers['content-type'], JSON.parse(body).api_version]).to.deep.equal([
          'application/json',
          '2026-10',
        ]);
      }
    }
  });

  it('says to that client what it says to us', async () => {
    const bought = sent(4);
    await buy('pro', 'yearly');
    const understand = makeUnderstand({
      pro: { yearly: '5a9db000-0000-4000-8000-000000000004' },
    });
    for (const delivery of await bought) {
      const theirs = validate(delivery);
      const understood = understand({ id: String(delivery.headers['webhook-id']), body: delivery.body });
      expect(understood?.userId).to.equal(USER);
      if (theirs.type === 'customer.created') {
        expect(understood?.customerId).to.equal(theirs.data.id);
        continue;
      }
      if (theirs.type !== 'subscription.active' || understood?.about !== 'subscription') continue;
      expect(understood.subscription).to.deep.include({
        id: theirs.data.id,
        status: theirs.data.status,
        plan: 'pro',
        billingCycle: 'yearly',
        productName: theirs.data.product.name,
        amount: theirs.data.amount,
        currentPeriodStart: theirs.data.currentPeriodStart.getTime(),
        currentPeriodEnd: theirs.data.currentPeriodEnd?.getTime(),
      });
    }
  });

  it('tells of a customer in that form, also when they are gone', async () => {
    const book = {
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
      const body = eventBody(`customer.${kind}`, Date.now(), 0, customerWire(book, deletedAt));
      const headers = {
        'webhook-id': 'evt',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': webhook.sign('evt', now, body),
      };
      expect(validateEvent(body, headers, SECRET).type).to.equal(`customer.${kind}`);
    }
  });
});
