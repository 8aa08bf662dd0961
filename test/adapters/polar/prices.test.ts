import { expect } from 'chai';
import { noBilling } from '../../../adapters/billing/no-provider.ts';
import { makeMemoryCustomerRecords } from '../../../adapters/billing/sandbox-customers.ts';
import { openSandboxBilling } from '../../../adapters/billing/sandbox-provider.ts';
import { planPricesContract } from '../../contracts/plan-prices.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { fixedPrice, productWire } from '../../support/servers/polar-answers.ts';
import { PRODUCTS } from '../../support/servers/polar-events.ts';
import { openStrictPolar, type StrictPolar } from '../../support/servers/strict-polar.ts';
import { BUYER, openPolar } from './open-polar.ts';

const ALL = ['pro-lite monthly', 'pro-lite yearly', 'pro monthly', 'pro yearly'];
const pages = { successUrl: () => 'https://app.example/success', returnUrl: () => 'https://app.example/b' };

/** A configured product with `changes`. */
const productOf = (id: string, changes: Readonly<Record<string, unknown>> = {}) =>
  productWire({ id, recurring_interval: id.endsWith('year') ? 'year' : 'month', ...changes });

const allProducts = () =>
  Object.values(PRODUCTS).flatMap(({ monthly, yearly }) => [productOf(monthly), productOf(yearly)]);

describe('The prices from Polar', () => {
  let polar: StrictPolar;
  beforeEach(async () => {
    polar = await openStrictPolar();
    polar.products = allProducts();
  });
  afterEach(() => polar.close());

  planPricesContract('Polar', { open: () => openPolar(`${polar.url}/v1`), plans: ALL });

  const productNames = async () =>
    (await openPolar(`${polar.url}/v1`).prices()).map(({ plan, billingCycle, amount, currency }) => [
      ...[`${plan} ${billingCycle}`, amount, currency],
    ]);

  it('omit archived and unknown products and those without a fixed price', async () => {
    polar.products = [
      productOf(PRODUCTS.pro.monthly, { is_archived: true }),
      productOf(PRODUCTS.pro.yearly, { prices: [fixedPrice({ is_archived: true })] }),
      productOf(PRODUCTS['pro-lite'].monthly, { prices: [fixedPrice({ amount_type: 'custom' })] }),
      productOf('prod-of-another', {}),
    ];
    expect(await productNames()).to.deep.equal([]);
  });

  it('contain the trimmed description of a product, or null', async () => {
    polar.products = [
      productOf(PRODUCTS.pro.monthly, { description: ' All of it.\n' }),
      productOf(PRODUCTS.pro.yearly, { description: ' ' }),
      productOf(PRODUCTS['pro-lite'].monthly, { description: null }),
    ];
    const prices = await openPolar(`${polar.url}/v1`).prices();
    expect(prices.map(({ description }) => description)).to.have.members(['All of it.', null, null]);
  });

  it('are unavailable after a malformed answer', async () => {
    polar.fault = (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"items":{"id":"prod"}}');
    expect(await rejectionOf(() => openPolar(`${polar.url}/v1`).prices())).to.include({
      code: 'billing_unavailable',
    });
  });

  it('are in dollars if a product has several currencies', async () => {
    const inEuro = fixedPrice({ price_currency: 'eur', price_amount: 1 });
    polar.products = [
      productOf(PRODUCTS.pro.monthly, { prices: [inEuro, fixedPrice({ price_currency: 'USD' })] }),
      productOf(PRODUCTS.pro.yearly, { prices: [inEuro] }),
    ];
    expect(await productNames()).to.deep.equal([
      ['pro monthly', 999, 'usd'],
      ['pro yearly', 1, 'eur'],
    ]);
  });

  it('are charged in dollars, whatever the currency of the buyer’s country', async () => {
    await openPolar(`${polar.url}/v1`).checkout(BUYER, 'pro', 'monthly');
    expect(JSON.parse(polar.requests.at(-1)?.body ?? '')).to.include({ currency: 'usd' });
  });

  it('contain the billing interval, which may be several months', async () => {
    polar.products = [
      productOf(PRODUCTS.pro.monthly, { recurring_interval_count: 3 }),
      productOf(PRODUCTS.pro.yearly, { recurring_interval: 'month', recurring_interval_count: 12 }),
      productOf(PRODUCTS['pro-lite'].yearly),
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
