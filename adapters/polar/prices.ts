import type { PlanPrice } from '../../core/billing/ports.ts';
import { isRecord } from '../files/json.ts';
import type { Products } from '../webhooks/polar-wire.ts';
import type { Fields } from './api.ts';

/** The most that a page has; the settings name far fewer products. */
const PAGE = 100;

type Named = Pick<PlanPrice, 'plan' | 'billingCycle'> & { readonly id: string };

const namedIn = (products: Products): readonly Named[] =>
  Object.entries(products).flatMap(([plan, cycles]) =>
    (['monthly', 'yearly'] as const).flatMap((billingCycle) => {
      const id = cycles[billingCycle];
      return id === undefined ? [] : [{ plan, billingCycle, id }];
    }),
  );

export const pathOfProducts = (products: Products): string => {
  const asked = namedIn(products).map(({ id }): [string, string] => ['id', id]);
  return `/products/?${new URLSearchParams([...asked, ['limit', String(PAGE)], ['page', '1']])}`;
};

const isFixed = (price: unknown): price is Fields & { price_amount: number; price_currency: string } =>
  isRecord(price) &&
  price.amount_type === 'fixed' &&
  price.is_archived !== true &&
  Number.isSafeInteger(price.price_amount) &&
  Number(price.price_amount) >= 0 &&
  typeof price.price_currency === 'string';

const isDollars = ({ price_currency }: { readonly price_currency: string }) =>
  price_currency.toLowerCase() === 'usd';

/**
 * What the named products cost, by a page of products; undefined if it is none. A product of many currencies is taken in
 * dollars. Products that are archived or gone, and those without a fixed price, are left out.
 */
export const pricesIn = ({ items }: Fields, products: Products): readonly PlanPrice[] | undefined => {
  if (!Array.isArray(items)) return undefined;
  return namedIn(products).flatMap(({ id, plan, billingCycle }) => {
    const product = items.find((one) => isRecord(one) && one.id === id && one.is_archived !== true);
    const fixed = (Array.isArray(product?.prices) ? product.prices : []).filter(isFixed);
    const price = fixed.find(isDollars) ?? fixed[0];
    const interval: unknown = product?.recurring_interval;
    if (price === undefined || typeof interval !== 'string') return [];
    const productName = typeof product.name === 'string' ? product.name : '';
    return {
      plan,
      billingCycle,
      productName,
      amount: price.price_amount,
      currency: price.price_currency.toLowerCase(),
      interval,
    };
  });
};
