import type { BillingCycle } from '../../core/billing/subscription.ts';
import type { Products } from '../signed-deliveries/polar-events.ts';

export interface Product {
  readonly id: string;
  readonly plan: string;
  readonly cycle: BillingCycle;
  readonly name: string;
  readonly description: string;
  /** Cents of a dollar. */
  readonly amount: number;
}

const PRO_LITE = { plan: 'pro-lite', name: 'Pro Lite', description: 'More storage for your files.' };
const PRO = { plan: 'pro', name: 'Pro', description: 'The most storage, for large files and teams.' };

export const catalogue: readonly Product[] = [
  { ...PRO_LITE, id: '5a9db000-0000-4000-8000-000000000001', cycle: 'monthly', amount: 499 },
  { ...PRO_LITE, id: '5a9db000-0000-4000-8000-000000000002', cycle: 'yearly', amount: 4_990 },
  { ...PRO, id: '5a9db000-0000-4000-8000-000000000003', cycle: 'monthly', amount: 999 },
  { ...PRO, id: '5a9db000-0000-4000-8000-000000000004', cycle: 'yearly', amount: 9_990 },
];

export const intervalOf = (cycle: string | undefined): 'month' | 'year' =>
  cycle === 'yearly' ? 'year' : 'month';

export const findProduct = (plan: string, cycle: string): Product | undefined =>
  catalogue.find((product) => product.plan === plan && product.cycle === cycle);

export const productById = (id: string): Product | undefined =>
  catalogue.find((product) => product.id === id);

/** Never `''`: the catalogue has both cycles of each plan. */
const idsOf = (plan: string) => ({
  monthly: findProduct(plan, 'monthly')?.id ?? '',
  yearly: findProduct(plan, 'yearly')?.id ?? '',
});

/** The catalogue in the form of the setting for a provider's products. */
export const products: Products = { 'pro-lite': idsOf('pro-lite'), pro: idsOf('pro') };
