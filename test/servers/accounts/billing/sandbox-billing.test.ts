import { expect } from 'chai';
import { type TestService, type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

const JSON_PLEASE = { Accept: 'application/json' };

describe('The billing sandbox', () => {
  const service = useService({ SELF_ENTITLEMENT: 'ignore' });

  const tierOf = async (user: User): Promise<string> => {
    const { body } = await service().request('GET', '/api/auth/me', { token: user.token });
    return String(body.user?.serviceAccess?.[0]?.tier ?? 'none');
  };
  const untilTier = (user: User, tier: string) => until(async () => (await tierOf(user)) === tier);
  const open = async (user: User, path: string): Promise<string> => {
    const { body } = await service().request('GET', path, { token: user.token, headers: JSON_PLEASE });
    return String(body.url);
  };
  const checkout = (user: User, plan = 'pro', cycle = 'monthly') =>
    open(user, `/api/billing/checkout?plan=${plan}&billingCycle=${cycle}`);
  const post = (address: string) => fetch(address, { method: 'POST', redirect: 'manual' });
  const buy = async (user: User, plan?: string, cycle?: string) => {
    expect((await post(`${await checkout(user, plan, cycle)}/pay`)).status).to.equal(303);
    await untilTier(user, plan ?? 'pro');
  };
  const subscription = (user: User) => service().request('GET', '/api/subscription', { token: user.token });
  const newUser = ({ signUp }: TestService) => signUp();

  it('lists its plans publicly, with the prices of its subscriptions', async () => {
    const { status, body } = await service().request('GET', '/api/billing/plans');
    expect(status).to.equal(200);
    const plans = body.plans as unknown as readonly {
      readonly plan: string;
      readonly billingCycle: string;
      readonly product: { readonly name: string; readonly description: string };
      readonly price: unknown;
    }[];
    expect(plans.map(({ plan, billingCycle }) => `${plan} ${billingCycle}`)).to.deep.equal([
      'pro-lite monthly',
      'pro-lite yearly',
      'pro monthly',
      'pro yearly',
    ]);
    const user = await newUser(service());
    await buy(user);
    const { body: bought } = await subscription(user);
    const { product, price } = plans[2] ?? {};
    expect(product?.description).to.match(/\S/);
    expect({ name: product?.name, price }).to.deep.equal({ name: bought.product?.name, price: bought.price });
  });

  it('activates the plan that was paid for, and redirects to the success page', async () => {
    const user = await newUser(service());
    const address = await checkout(user, 'pro-lite', 'yearly');
    const shown = await fetch(address);
    expect(shown.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(await shown.text())
      .to.include('$49.90')
      .and.include(user.email);
    const paid = await post(`${address}/pay`);
    expect(paid.headers.get('location')).to.equal(`${service().url}/billing/success`);
    await untilTier(user, 'pro-lite');
    const { status, body } = await subscription(user);
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'active', plan: 'pro-lite', billingCycle: 'yearly' });
    expect(body.price).to.include({ currency: 'PLN', interval: 'year' });
    expect(body.product).to.deep.equal({ name: 'Pro Lite' });
  });

  it('refuses a second plan, and unknown plans and billing cycles', async () => {
    const user = await newUser(service());
    await buy(user);
    const again = await service().request('GET', '/api/billing/checkout?plan=pro&billingCycle=yearly', {
      token: user.token,
    });
    expect([again.status, again.body.code]).to.deep.equal([409, 'already_subscribed']);
    for (const [query, code] of [
      ['plan=enterprise&billingCycle=monthly', 'invalid_plan'],
      ['plan=free&billingCycle=monthly', 'invalid_plan'],
      ['plan=pro&billingCycle=weekly', 'invalid_billing_cycle'],
      ['plan=pro', 'invalid_request'],
    ] as const) {
      const { status, body } = await service().request('GET', `/api/billing/checkout?${query}`, {
        token: user.token,
      });
      expect([status, body.code], query).to.deep.equal([400, code]);
    }
  });

  it('accepts one of two concurrent payments, and shows the existing plan on the other page', async () => {
    const user = await newUser(service());
    const pages = await Promise.all([checkout(user), checkout(user, 'pro-lite', 'yearly')]);
    const paid = await Promise.all(pages.map((page) => post(`${page}/pay`)));
    const success = `${service().url}/billing/success`;
    const locations = paid.map(({ headers }) => headers.get('location'));
    const refused = locations[0] === success ? pages[1] : pages[0];
    expect(locations).to.have.members([success, new URL(refused ?? '').pathname]);
    const shown = await (await fetch(refused ?? '')).text();
    expect(shown)
      .to.include('You already have a plan. You were not charged again.')
      .and.include(`href="${service().url}/billing/return"`)
      .and.not.include('</form>');
    const portal = await (await fetch(await open(user, '/api/billing/portal'))).text();
    expect(portal.match(/<section/g)).to.have.length(1);
  });

  it('refuses its pages without their token', async () => {
    const user = await newUser(service());
    const address = await checkout(user);
    const token = address.split('/').at(-1) ?? '';
    for (const wrong of ['x', `${token}x`, `x${token}`, token.split('.')[0] ?? '']) {
      const page = await fetch(`${service().url}/sandbox/billing/checkout/${wrong}`);
      expect(page.status, wrong).to.equal(404);
    }
    expect((await fetch(`${service().url}/sandbox/billing/portal/${token}`)).status).to.equal(404);
  });

  it('deletes its record of a buyer whose account is deleted', async () => {
    const user = await newUser(service());
    await buy(user);
    const { password, token } = user;
    const deletion = await service().post('/api/auth/delete-account', { password }, { token });
    expect(deletion.status).to.equal(200);
    const { readdirSync } = await import('node:fs');
    const records = () => readdirSync(`${service().folder}/sandbox-billing`);
    await until(async () => !records().some((name) => name.includes(user.id)));
  });
});
