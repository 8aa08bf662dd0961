import { expect } from 'chai';
import { noBilling } from '../../../adapters/billing/no-provider.ts';
import { makeMemoryCustomerRecords } from '../../../adapters/billing/sandbox-customers.ts';
import { openSandboxBilling } from '../../../adapters/billing/sandbox-provider.ts';
import { planPricesContract } from '../../contracts/plan-prices.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { fixedPrice, productWire } from '../../support/servers/polar-answers.ts';
import { PRODUCTS } from '../../support/servers/polar-events.ts';
import { openStrictPolar, type StrictPolar } from '../../support/servers/strict-polar.ts';
import { openPolar } from './opened.ts';

const ALL = ['pro-lite monthly', 'pro-lite yearly', 'pro monthly', 'pro yearly'];
const pages = { successUrl: () => 'https://app.example/success', returnUrl: () => 'https://app.example/b' };

/** A product as the settings name it, and what is different about it. */
const sold = (id: string, changes: Readonly<Record<string, unknown>> = {}) =>
  productWire({ id, recurring_interval: id.endsWith('year') ? 'year' : 'month', ...changes });

const everything = () =>
  Object.values(PRODUCTS).flatMap(({ monthly, yearly }) => [sold(monthly), sold(yearly)]);

describe('What Polar sells', () => {
  let polar: StrictPolar;
  beforeEach(async () => {
    polar = await openStrictPolar();
    polar.products = everything();
  });
  afterEach(() => polar.close());

  planPricesContract('Polar', { open: () => openPolar(`${polar.url}/v1`), plans: ALL });

  const productNames = async () =>
    (await openPolar(`${polar.url}/v1`).prices()).map(({ plan, billingCycle, amount, currency }) => [
      ...[`${plan} ${billingCycle}`, amount, currency],
    ]);

  it('lacks what is archived, gone, or without a fixed price', async () => {
    polar.products = [
      sold(PRODUCTS.pro.monthly, { is_archived: true }),
      sold(PRODUCTS.pro.yearly, { prices: [fixedPrice({ is_archived: true })] }),
      sold(PRODUCTS['pro-lite'].monthly, { prices: [fixedPrice({ amount_type: 'custom' })] }),
      sold('prod-of-another', {}),
    ];
    expect(await productNames()).to.deep.equal([]);
  });

  it('is described in the words of the shop, if there are any', async () => {
    polar.products = [
      sold(PRODUCTS.pro.monthly, { description: ' All of it.\n' }),
      sold(PRODUCTS.pro.yearly, { description: ' ' }),
      sold(PRODUCTS['pro-lite'].monthly, { description: null }),
    ];
    const prices = await openPolar(`${polar.url}/v1`).prices();
    expect(prices.map(({ description }) => description)).to.have.members(['All of it.', null, null]);
  });

  it('is not known by an answer that makes no sense', async () => {
    polar.fault = (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"items":{"id":"prod"}}');
    expect(await rejectionOf(() => openPolar(`${polar.url}/v1`).prices())).to.include({
      code: 'billing_unavailable',
    });
  });

  it('is priced in dollars where there are several currencies', async () => {
    const inEuro = fixedPrice({ price_currency: 'eur', price_amount: 1 });
    polar.products = [
      sold(PRODUCTS.pro.monthly, { prices: [inEuro, fixedPrice({ price_currency: 'USD' })] }),
      sold(PRODUCTS.pro.yearly, { prices: [inEuro] }),
    ];
    expect(await productNames()).to.deep.equal([
      ['pro monthly', 999, 'usd'],
      ['pro yearly', 1, 'eur'],
    ]);
  });

  it('has the period that its price is for, which may have several months', async () => {
    polar.products = [
      sold(PRODUCTS.pro.monthly, { recurring_interval_count: 3 }),
      sold(PRODUCTS.pro.yearly, { recurring_interval: 'month', recurring_interval_count: 12 }),
      sold(PRODUCTS['pro-lite'].yearly),
    ];
    const prices = await openPolar(`${polar.url}/v1`).prices();
    expect(prices.map(({ interval }) => interval)).to.deep.equal(['year', '3 months', 'year']);
  });
});

planPricesContract('none', { open: () => noBilling, plans: [] });

planPricesContract('sandbox', {
  open: () =>
    openSandboxBilling({
      ...pages,
      records: makeMemoryCustomerRecords(),
      secrets: ['a-secret-that-somebody-chose-themselves'],
      origin: () => 'http://127.0.0.1',
      clock: { now: Date.now },
    }).provider,
  plans: ALL,
});
