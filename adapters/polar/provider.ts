import type { CustomerState } from '../../core/billing/fold-events.ts';
import type { BillingProvider, Buyer, PlanPrice } from '../../core/billing/ports.ts';
import { DOLLARS, isInDollars } from '../../core/billing/price-in-zloty.ts';
import type { BillingCycle } from '../../core/billing/subscription.ts';
import { CoreError, invalid, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { isRecord } from '../files/json.ts';
import {
  intervalOf,
  makeParseEvent,
  type Products,
  productIdsIn,
  readSubscription,
  WrongDelivery,
} from '../signed-deliveries/polar-events.ts';
import { makeReadDelivery } from '../signed-deliveries/signature.ts';
import { type Fields, makePolarApi, type Refusal, type Reply } from './api.ts';

/** The size of the largest page; the settings name far fewer products. */
const PAGE_SIZE = 100;

const pathOfProducts = (products: Products): string => {
  const ids = productIdsIn(products).map(({ id }): [string, string] => ['id', id]);
  return `/products/?${new URLSearchParams([...ids, ['limit', String(PAGE_SIZE)], ['page', '1']])}`;
};

const isFixed = (price: unknown): price is Fields & { price_amount: number; price_currency: string } =>
  isRecord(price) &&
  price.amount_type === 'fixed' &&
  price.is_archived !== true &&
  Number.isSafeInteger(price.price_amount) &&
  Number(price.price_amount) >= 0 &&
  typeof price.price_currency === 'string';

const isPricedInDollars = ({ price_currency }: { readonly price_currency: string }) =>
  isInDollars({ currency: price_currency.toLowerCase() });

/**
 * The prices of the named products in a page of products; undefined if the response is not a page. Prices in dollars are
 * preferred. Archived and deleted products, and products without a fixed price or without an interval, are left out.
 */
const pricesIn = ({ items }: Fields, products: Products): readonly PlanPrice[] | undefined => {
  if (!Array.isArray(items)) return undefined;
  return productIdsIn(products).flatMap(({ id, plan, billingCycle }) => {
    const product = items.find((item) => isRecord(item) && item.id === id && item.is_archived !== true);
    const fixedPrices = (Array.isArray(product?.prices) ? product.prices : []).filter(isFixed);
    const price = fixedPrices.find(isPricedInDollars) ?? fixedPrices[0];
    const interval: unknown = product?.recurring_interval;
    if (price === undefined || typeof interval !== 'string') return [];
    const productName = typeof product.name === 'string' ? product.name : '';
    const description = typeof product.description === 'string' ? product.description.trim() : '';
    return {
      plan,
      billingCycle,
      productName,
      description: description === '' ? null : description,
      amount: price.price_amount,
      currency: price.price_currency.toLowerCase(),
      interval: intervalOf(interval, product.recurring_interval_count),
    };
  });
};

export interface PolarSettings {
  /** Base address, with `/v1`. */
  readonly url: string;
  readonly accessToken: string;
  readonly products: Products;
  readonly webhookSecrets: readonly string[];
  /** Where buyers are redirected; called at each checkout, since the address may be known only after the server listens. */
  readonly successUrl: () => string;
  readonly returnUrl: () => string;
}

export interface PolarProvider extends BillingProvider {
  /** False while the provider is down, as seen by the calls of this process. Makes no call. */
  isUp(): boolean;
  close(): void;
}

/** Error codes of a response 403 to a checkout that concern our account with the provider, not the buyer. */
const ACCOUNT_ERRORS = new Set([
  'NotPermitted',
  'PaymentNotReady',
  'OrganizationNotReadyForPayments',
  'insufficient_scope',
]);

/** Statuses that a retry does not change: no credentials, no permission, invalid. */
const LASTING_STATUSES = new Set([401, 403, 422]);

/** How long a request for prices waits for its turn. */
const PRICES_PATIENCE_MS = 2_000;

const invalidAnswer = () =>
  unavailable('billing_unavailable', 'The payment provider gave an invalid answer.');

const bodyOf = (reply: Reply): Fields => {
  if ('body' in reply) return reply.body;
  throw invalidAnswer();
};

/** Requires the address of a page of the provider. */
const pageAddress = (value: unknown): string => {
  if (typeof value === 'string' && /^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value))
    return value;
  throw invalidAnswer();
};

/** The API path of the customer whose external id is the user id. */
const customerPath = (userId: string, suffix: string) =>
  `/customers/external/${encodeURIComponent(userId)}${suffix}`;

const isUnknownCustomer = (reply: Reply): boolean => 'refusal' in reply && reply.refusal.status === 404;

/** Billing with Polar. Only purchases depend on its calls. See decision 0032. */
export const makePolarProvider = (settings: PolarSettings & { readonly log: Log }): PolarProvider => {
  const { products, webhookSecrets, successUrl, returnUrl, log } = settings;
  const api = makePolarApi(settings);
  const readDelivery = makeReadDelivery(webhookSecrets);

  const stateIn = (body: Fields): CustomerState => {
    const { id, email, active_subscriptions: activeSubscriptions } = body;
    if (typeof id !== 'string' || !Array.isArray(activeSubscriptions) || !activeSubscriptions.every(isRecord))
      throw invalidAnswer();
    try {
      // The subscriptions in a customer's state do not name the customer.
      const subscriptions = activeSubscriptions.map((subscription) =>
        readSubscription({ ...subscription, customer_id: id }, products),
      );
      return { customerId: id, email: typeof email === 'string' ? email : undefined, subscriptions };
    } catch (error) {
      throw error instanceof WrongDelivery ? invalidAnswer() : error;
    }
  };

  /** Users are not told the reason, such as an unknown product, or an email that Polar takes for invalid. */
  const logRefusal = ({ status, error, members }: Refusal, userId: string): void => {
    log.warn('billing.refused', { userId, reason: [status, error, ...members].filter(Boolean).join(' ') });
  };

  const checkoutError = (refusal: Refusal, userId: string): CoreError => {
    const { status, error } = refusal;
    // Polar responds 403 to a buyer who has a subscription, and to errors of our account.
    if (status === 403 && !ACCOUNT_ERRORS.has(error)) {
      return new CoreError('conflict', 'already_subscribed', 'There is already a subscription.');
    }
    logRefusal(refusal, userId);
    if (status === 422) return invalid('checkout_refused', 'The payment provider does not sell this to you.');
    return invalidAnswer();
  };

  /** Throws `refused` (`billing_refused`) if a retry changes nothing, and `unavailable` for any other refusal. */
  const requireDone = (reply: Reply, work: string): void => {
    if ('refusal' in reply && LASTING_STATUSES.has(reply.refusal.status)) {
      const message = `The payment provider refuses to ${work} (${reply.refusal.status}).`;
      throw new CoreError('refused', 'billing_refused', message);
    }
    if ('refusal' in reply) throw invalidAnswer();
  };

  const checkout = async (buyer: Buyer, plan: string, cycle: BillingCycle): Promise<string> => {
    const product = products[plan]?.[cycle];
    if (product === undefined) throw invalid('checkout_refused', 'This plan is not sold with this cycle.');
    const reply = await api.call('POST', '/checkouts/', {
      products: [product],
      // Otherwise Polar takes the currency of the buyer's country if the product has a price in it.
      currency: DOLLARS,
      external_customer_id: buyer.userId,
      customer_email: buyer.email,
      ...(buyer.name !== null && { customer_name: buyer.name }),
      customer_ip_address: buyer.address,
      success_url: successUrl(),
      return_url: returnUrl(),
    });
    if ('refusal' in reply) throw checkoutError(reply.refusal, buyer.userId);
    return pageAddress(reply.body.url);
  };

  return {
    checkout,
    portal: async (userId) => {
      const reply = await api.call('POST', '/customer-sessions/', {
        external_customer_id: userId,
        return_url: returnUrl(),
      });
      if ('body' in reply) return pageAddress(reply.body.customer_portal_url);
      // For an unknown customer Polar also responds that the request is invalid.
      if (isUnknownCustomer(reply) || reply.refusal.status === 422) return undefined;
      logRefusal(reply.refusal, userId);
      throw invalidAnswer();
    },
    prices: async () => {
      // A person waits for prices, though not as urgently as a buyer.
      const reply = await api.call('GET', pathOfProducts(products), undefined, PRICES_PATIENCE_MS);
      const prices = pricesIn(bodyOf(reply), products);
      if (prices === undefined) throw invalidAnswer();
      return prices;
    },
    stateOf: async (userId) => {
      const reply = await api.call('GET', customerPath(userId, '/state'));
      const customer = isUnknownCustomer(reply) ? undefined : stateIn(bodyOf(reply));
      return { asOf: reply.reachedAt, customer };
    },
    rateLimitEndsInMs: api.rateLimitEndsInMs,
    anonymise: async (userId) => {
      const reply = await api.call('DELETE', customerPath(userId, '?anonymize=true'));
      if (!isUnknownCustomer(reply)) requireDone(reply, 'forget a customer');
    },
    changeEmail: async (userId, email) => {
      const reply = await api.call('PATCH', customerPath(userId, ''), { email });
      if (isUnknownCustomer(reply)) return;
      // Polar has another customer with this email, or takes it for invalid. A repetition would be refused as well.
      if ('refusal' in reply && reply.refusal.status === 422) logRefusal(reply.refusal, userId);
      else requireDone(reply, 'change the email of a customer');
    },
    readDelivery: async (headers, raw, now) => readDelivery(headers, raw, now),
    parseEvent: makeParseEvent(products),
    isUp: api.isUp,
    close: api.close,
  };
};
