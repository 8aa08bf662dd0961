import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { deliverEvent, polarSettings } from '../../../support/deliver-event.ts';
import { newSubscription, subscriptionEvent } from '../../../support/servers/polar-events.ts';
import { openStrictPolar, POLAR_TOKEN, type StrictPolar } from '../../../support/servers/strict-polar.ts';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const CHECKOUT = '/api/billing/checkout?plan=pro&billingCycle=monthly';

describe('Billing by Polar', () => {
  let polar: StrictPolar;
  let service: TestService;
  before(async () => {
    polar = await openStrictPolar();
    service = await openTestService({
      ...polarSettings(polar.url),
      CHECKOUT_SUCCESS_URL: 'https://app.example/success?c={CHECKOUT_ID}',
    });
  });
  after(async () => {
    await service.close();
    await polar.close();
  });
  afterEach(() => {
    polar.fault = undefined;
    polar.faults.length = 0;
  });

  const get = ({ token }: User, path: string, headers = {}) =>
    service.request('GET', path, { token, headers });
  const subscribe = async (user: User) => {
    const { id: customerId } = polar.addCustomer(user.id);
    const subscription = newSubscription({ userId: user.id, customerId }, Date.now());
    await deliverEvent(service.url, subscriptionEvent('active', subscription, Date.now(), randomUUID()));
    await until(async () => (await get(user, '/api/subscription')).status === 200);
    return subscription;
  };

  it('redirects a signed-in buyer to the provider with the user id, and refuses anyone else', async () => {
    const user = await service.signUp();
    const redirect = await get(user, CHECKOUT);
    expect(redirect.status).to.equal(303);
    expect(redirect.headers.get('location')).to.match(/\/checkout\/polar_c_/);
    const checkout = JSON.parse(polar.requests.at(-1)?.body ?? '');
    expect(checkout).to.include({
      external_customer_id: user.id,
      customer_email: user.email,
      success_url: 'https://app.example/success?c={CHECKOUT_ID}',
      return_url: `${service.url}/billing/return`,
    });
    const json = await get(user, CHECKOUT, { Accept: 'application/json' });
    expect([json.status, Object.keys(json.body)]).to.deep.equal([200, ['url']]);
    expect((await service.request('GET', CHECKOUT)).status).to.equal(401);
  });

  it('shows the subscription with its price, and opens the portal', async () => {
    const user = await service.signUp();
    expect((await get(user, '/api/billing/portal')).body.code).to.equal('no_billing_customer');
    const subscription = await subscribe(user);
    const { body } = await get(user, '/api/subscription');
    expect(body).to.deep.equal({
      id: subscription.id,
      status: 'active',
      currentPeriodStart: Math.floor(subscription.periodStart / 1_000),
      currentPeriodEnd: Math.floor(subscription.periodEnd / 1_000),
      cancelAtPeriodEnd: false,
      plan: 'pro',
      billingCycle: 'monthly',
      price: {
        amount: 39.96,
        currency: 'PLN',
        interval: 'month',
        exchange: { rate: 4, effectiveDate: new Date().toISOString().slice(0, 10), stale: true },
      },
      product: { name: 'Pro' },
    });
    const portal = await get(user, '/api/billing/portal');
    expect(portal.status).to.equal(307);
    expect(portal.headers.get('location')).to.include('/portal?customer_session_token=');
  });

  it('blocks the checkout alone while the provider is down', async () => {
    const user = await service.signUp();
    await subscribe(user);
    const before = polar.requests.length;
    polar.fault = () => undefined;
    const other = await service.signUp();
    const { email, password } = other;
    expect((await service.post('/api/auth/login', { email, password })).status).to.equal(200);
    for (const path of ['/api/auth/me', '/api/subscription', '/api/services']) {
      expect((await get(user, path)).status, path).to.equal(200);
    }
    expect(polar.requests).to.have.length(before);
    const startedAt = performance.now();
    const { status, body, headers } = await get(other, CHECKOUT);
    expect([status, body.code]).to.deep.equal([503, 'billing_unavailable']);
    expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    expect(performance.now() - startedAt).to.be.below(30_000);
    polar.fault = undefined;
    expect((await get(other, CHECKOUT)).status).to.equal(303);
  });

  it('returns the refusals of the provider as error codes', async () => {
    const user = await service.signUp();
    polar.addCustomer(user.id, [{}]);
    const taken = await get(user, CHECKOUT);
    expect([taken.status, taken.body.code]).to.deep.equal([409, 'already_subscribed']);
    const other = await service.signUp();
    polar.faults.push((response) => response.writeHead(422).end('{"detail":[]}'));
    const wrong = await get(other, CHECKOUT);
    expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'checkout_refused']);
  });

  it('does not log the access token', () => {
    expect(JSON.stringify(service.log.lines)).not.to.include(POLAR_TOKEN);
  });
});
