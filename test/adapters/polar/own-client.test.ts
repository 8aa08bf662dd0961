import { expect } from 'chai';
import type { PolarProvider } from '../../../adapters/polar/provider.ts';
import { fixedPrice, productWire, stateSubscription } from '../../support/servers/polar-answers.ts';
import { loadPolarClient, type PolarClient } from '../../support/servers/polar-client.ts';
import { PRODUCTS } from '../../support/servers/polar-events.ts';
import {
  openStrictPolar,
  POLAR_TOKEN,
  POLAR_VERSION,
  type StrictPolar,
} from '../../support/servers/strict-polar.ts';
import type { ReceivedRequest } from '../../support/servers/strict-server.ts';
import { openPolar, PAGES, USER } from './open-polar.ts';

describe('Polar’s own client', () => {
  let polar: StrictPolar;
  let provider: PolarProvider;
  let sdk: PolarClient;
  let Polar: ReturnType<typeof loadPolarClient>;
  before(() => {
    Polar = loadPolarClient();
  });
  beforeEach(async () => {
    polar = await openStrictPolar();
    provider = openPolar(`${polar.url}/v1`);
    sdk = new Polar({ accessToken: POLAR_TOKEN, serverURL: polar.url, retryConfig: { strategy: 'none' } });
  });
  afterEach(() => polar.close());

  /** The client predates the header for the version. */
  const versioned = { fetchOptions: { headers: { 'Polar-Version': POLAR_VERSION } } };
  const lastRequests = () => polar.requests.slice(-2) as [ReceivedRequest, ReceivedRequest];
  const bodyOf = ({ body }: ReceivedRequest): Record<string, unknown> => JSON.parse(body);
  /** Values that the client always sends, and that Polar assumes if they are missing. */
  const DEFAULTS = {
    allow_discount_codes: true,
    allow_trial: true,
    is_business_customer: false,
    require_billing_address: false,
  };

  const buyer = { userId: USER, email: 'ada@example.com', name: 'Ada "Z" Lovelace', address: '2001:db8::1' };
  const intent = {
    products: [PRODUCTS.pro.yearly],
    currency: 'usd',
    externalCustomerId: USER,
    customerEmail: buyer.email,
    customerIpAddress: buyer.address,
    successUrl: PAGES.success,
    returnUrl: PAGES.back,
  };

  const expectEqualRequests = ([ownRequest, sdkRequest]: readonly [ReceivedRequest, ReceivedRequest]) => {
    expect([ownRequest.method, ownRequest.path]).to.deep.equal([sdkRequest.method, sdkRequest.path]);
    expect(ownRequest.headers.authorization).to.equal(sdkRequest.headers.authorization);
    expect(ownRequest.headers['content-type']).to.equal(sdkRequest.headers['content-type']);
    expect(ownRequest.headers.accept).to.equal(sdkRequest.headers.accept);
  };

  for (const name of [buyer.name, null]) {
    it(`sends the checkout request of the adapter for a buyer ${name === null ? 'without' : 'with'} a name`, async () => {
      const address = await provider.checkout({ ...buyer, name }, 'pro', 'yearly');
      const checkout = await sdk.checkouts.create(
        { ...intent, ...(name !== null && { customerName: name }) },
        versioned,
      );
      expectEqualRequests(lastRequests());
      const [ownRequest, sdkRequest] = lastRequests();
      expect({ ...DEFAULTS, ...bodyOf(ownRequest) }).to.deep.equal(bodyOf(sdkRequest));
      expect(ownRequest.headers['polar-version']).to.equal(POLAR_VERSION);
      for (const url of [address, checkout.url]) expect(url).to.match(/^http:.*\/checkout\/polar_c_/);
    });
  }

  it('sends the portal request of the adapter', async () => {
    polar.addCustomer(USER);
    const address = await provider.portal(USER);
    const session = await sdk.customerSessions.create(
      { externalCustomerId: USER, returnUrl: PAGES.back },
      versioned,
    );
    expectEqualRequests(lastRequests());
    const [ownRequest, sdkRequest] = lastRequests();
    expect(bodyOf(ownRequest)).to.deep.equal(bodyOf(sdkRequest));
    expect(address).to.equal(session.customerPortalUrl);
  });

  it('reads a customer’s state like the adapter', async () => {
    polar.addCustomer(USER, [
      stateSubscription(),
      stateSubscription({
        status: 'trialing',
        product_id: PRODUCTS['pro-lite'].yearly,
        recurring_interval: 'year',
        amount: 4_990,
        cancel_at_period_end: true,
        canceled_at: '2026-01-02T00:00:00Z',
      }),
    ]);
    const { customer: state } = await provider.stateOf(USER);
    const sdkState = await sdk.customers.getStateExternal({ externalId: USER }, versioned);
    expectEqualRequests(lastRequests());
    expect(state?.customerId).to.equal(sdkState.id);
    expect(
      state?.subscriptions.map((subscription) => [subscription.plan, subscription.billingCycle]),
    ).to.deep.equal([
      ['pro', 'monthly'],
      ['pro-lite', 'yearly'],
    ]);
    expect(
      state?.subscriptions.map((subscription) => ({
        id: subscription.id,
        status: subscription.status,
        amount: subscription.amount,
        currency: subscription.currency,
        interval: subscription.interval,
        start: subscription.currentPeriodStart,
        end: subscription.currentPeriodEnd,
        ends: subscription.cancelAtPeriodEnd,
      })),
    ).to.deep.equal(
      sdkState.activeSubscriptions.map((subscription) => ({
        id: subscription.id,
        status: subscription.status,
        amount: subscription.amount,
        currency: subscription.currency,
        interval: subscription.recurringInterval,
        start: subscription.currentPeriodStart.getTime(),
        end: subscription.currentPeriodEnd.getTime(),
        ends: subscription.cancelAtPeriodEnd,
      })),
    );
  });

  it('reads products like the adapter', async () => {
    const ids = [
      PRODUCTS['pro-lite'].monthly,
      PRODUCTS['pro-lite'].yearly,
      PRODUCTS.pro.monthly,
      PRODUCTS.pro.yearly,
    ];
    polar.products = ids.map((id, place) =>
      productWire({
        id,
        name: `Product ${place}`,
        recurring_interval: id.endsWith('year') ? 'year' : 'month',
        prices: [fixedPrice({ product_id: id, price_amount: 100 + place })],
      }),
    );
    const prices = await provider.prices();
    const { result } = await sdk.products.list({ id: ids, limit: 100 }, versioned);
    expectEqualRequests(lastRequests());
    expect(prices.map((price) => [price.plan, price.billingCycle])).to.deep.equal([
      ['pro-lite', 'monthly'],
      ['pro-lite', 'yearly'],
      ['pro', 'monthly'],
      ['pro', 'yearly'],
    ]);
    expect(
      prices.map((price) => [price.productName, price.interval, price.amount, price.currency]),
    ).to.deep.equal(
      result.items.map((product) => [
        product.name,
        product.recurringInterval,
        product.prices[0]?.priceAmount,
        product.prices[0]?.priceCurrency,
      ]),
    );
  });

  it('changes the email of a customer like the adapter', async () => {
    polar.addCustomer(USER);
    await provider.changeEmail(USER, 'new@example.com');
    await sdk.customers.updateExternal(
      { externalId: USER, customerUpdateExternalID: { email: 'new@example.com' } },
      versioned,
    );
    expectEqualRequests(lastRequests());
    expect(lastRequests().map(bodyOf)).to.deep.equal(Array(2).fill({ email: 'new@example.com' }));
    expect(polar.customers.get(USER)?.email).to.equal('new@example.com');
  });

  it('anonymises a customer like the adapter', async () => {
    polar.addCustomer(USER);
    await provider.anonymise(USER);
    polar.addCustomer(USER);
    await sdk.customers.deleteExternal({ externalId: USER, anonymize: true }, versioned);
    expectEqualRequests(lastRequests());
    expect(polar.anonymised).to.deep.equal([USER, USER]);
  });
});
