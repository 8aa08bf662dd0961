import type { BillingCycle } from '../../core/billing/subscription.ts';
import type { Products } from '../signed-deliveries/polar-events.ts';

/** A product of the sandbox. */
export interface Product {
  readonly id: string;
  readonly plan: string;
  readonly cycle: BillingCycle;
  readonly name: string;
  /** Cents of a dollar. */
  readonly amount: number;
}

export const catalogue: readonly Product[] = [
  {
    id: '5a9db000-0000-4000-8000-000000000001',
    plan: 'pro-lite',
    cycle: 'monthly',
    name: 'Pro Lite',
    amount: 499,
  },
  {
    id: '5a9db000-0000-4000-8000-000000000002',
    plan: 'pro-lite',
    cycle: 'yearly',
    name: 'Pro Lite',
    amount: 4_990,
  },
  { id: '5a9db000-0000-4000-8000-000000000003', plan: 'pro', cycle: 'monthly', name: 'Pro', amount: 999 },
  { id: '5a9db000-0000-4000-8000-000000000004', plan: 'pro', cycle: 'yearly', name: 'Pro', amount: 9_990 },
];

export const intervalOf = (cycle: string | undefined): 'month' | 'year' =>
  cycle === 'yearly' ? 'year' : 'month';

export const findProduct = (plan: string, cycle: string): Product | undefined =>
  catalogue.find((product) => product.plan === plan && product.cycle === cycle);

export const productById = (id: string): Product | undefined =>
  catalogue.find((product) => product.id === id);

/** The catalogue in the form of the setting for a provider's products. */
export const products: Products = {
  'pro-lite': { monthly: catalogue[0]?.id ?? '', yearly: catalogue[1]?.id ?? '' },
  pro: { monthly: catalogue[2]?.id ?? '', yearly: catalogue[3]?.id ?? '' },
};
