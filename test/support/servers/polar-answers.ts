import { randomUUID } from 'node:crypto';
import type { PolarCustomer } from './strict-polar.ts';

// Complete objects in the provider's format. The provider's own client parses each of them in a test beside the adapter.

const CREATED_AT = '2026-01-01T00:00:00.000001Z';
const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const NAMES = { created_at: CREATED_AT, modified_at: null };

export const customerWire = ({ id, externalId, email = 'buyer@example.com' }: PolarCustomer) => ({
  id,
  ...NAMES,
  metadata: {},
  external_id: externalId,
  email,
  email_verified: true,
  type: 'individual',
  name: null,
  billing_name: null,
  billing_address: null,
  tax_id: null,
  locale: null,
  organization_id: ORGANIZATION,
  default_payment_method_id: null,
  deleted_at: null,
  avatar_url: 'https://www.gravatar.com/avatar/example',
});

/** A subscription in a customer's state: without customer and product. */
export const stateSubscription = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: randomUUID(),
  ...NAMES,
  custom_field_data: {},
  metadata: {},
  status: 'active',
  amount: 999,
  currency: 'usd',
  recurring_interval: 'month',
  current_period_start: CREATED_AT,
  current_period_end: '2026-02-01T00:00:00.000001Z',
  trial_start: null,
  trial_end: null,
  cancel_at_period_end: false,
  canceled_at: null,
  started_at: CREATED_AT,
  ends_at: null,
  product_id: 'prod-pro-month',
  discount_id: null,
  meters: [],
  ...fields,
});

/** The answer to a request for a customer's state. */
export const stateWire = (customer: PolarCustomer) => ({
  ...customerWire(customer),
  active_subscriptions: customer.subscriptions,
  granted_benefits: [],
  active_meters: [],
});

/** The answer to a request for a customer portal. */
export const sessionWire = (customer: PolarCustomer, returnUrl: string, address: string) => ({
  ...NAMES,
  id: randomUUID(),
  token: 'polar_cst_example',
  expires_at: '2026-01-01T01:00:00Z',
  return_url: returnUrl,
  customer_portal_url: address,
  customer_id: customer.id,
  customer: customerWire(customer),
});

const BILLING_FIELDS = {
  country: 'required',
  state: 'optional',
  city: 'optional',
  postal_code: 'optional',
  line1: 'optional',
  line2: 'disabled',
};

/** The answer to a request for a checkout. */
export const checkoutWire = (request: Readonly<Record<string, unknown>>, address: string) => ({
  id: randomUUID(),
  ...NAMES,
  payment_processor: 'stripe',
  status: 'open',
  client_secret: 'polar_c_example',
  url: address,
  expires_at: '2026-01-01T01:00:00Z',
  success_url: request.success_url,
  return_url: request.return_url,
  embed_origin: null,
  amount: 999,
  discount_amount: 0,
  net_amount: 999,
  tax_amount: null,
  tax_behavior: null,
  total_amount: 999,
  currency: 'usd',
  allow_trial: true,
  active_trial_interval: null,
  active_trial_interval_count: null,
  trial_end: null,
  organization_id: ORGANIZATION,
  product_id: null,
  product_price_id: null,
  discount_id: null,
  allow_discount_codes: true,
  require_billing_address: false,
  is_discount_applicable: true,
  is_free_product_price: false,
  is_payment_required: true,
  is_payment_setup_required: true,
  is_payment_form_required: true,
  customer_id: null,
  is_business_customer: false,
  customer_name: request.customer_name ?? null,
  customer_email: request.customer_email,
  customer_ip_address: request.customer_ip_address,
  customer_billing_name: null,
  customer_billing_address: null,
  customer_tax_id: null,
  payment_processor_metadata: {},
  billing_address_fields: BILLING_FIELDS,
  trial_interval: null,
  trial_interval_count: null,
  metadata: {},
  external_customer_id: request.external_customer_id,
  products: [],
  product: null,
  product_price: null,
  prices: null,
  discount: null,
  subscription_id: null,
  attached_custom_fields: null,
  customer_metadata: {},
});

/** A price that does not depend on usage. */
export const fixedPrice = (fields: Readonly<Record<string, unknown>> = {}) => ({
  ...NAMES,
  id: randomUUID(),
  source: 'catalog',
  amount_type: 'fixed',
  price_currency: 'usd',
  tax_behavior: null,
  is_archived: false,
  product_id: 'prod-pro-month',
  price_amount: 999,
  ...fields,
});

export const productWire = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: 'prod-pro-month',
  ...NAMES,
  trial_interval: null,
  trial_interval_count: null,
  name: 'Pro',
  description: null,
  visibility: 'public',
  recurring_interval: 'month',
  recurring_interval_count: 1,
  meter_interval: null,
  meter_interval_count: null,
  is_recurring: true,
  is_archived: false,
  organization_id: ORGANIZATION,
  metadata: {},
  prices: [fixedPrice()],
  benefits: [],
  medias: [],
  attached_custom_fields: [],
  ...fields,
});

/** The answer to a request for products. */
export const productsWire = (products: readonly Readonly<Record<string, unknown>>[], limit: number) => ({
  items: products.slice(0, limit),
  pagination: { total_count: products.length, max_page: Math.ceil(products.length / limit) },
});
