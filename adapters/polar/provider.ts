import type { BillingProvider, Buyer } from '../../core/billing/ports.ts';
import type { CustomerState } from '../../core/billing/state.ts';
import type { BillingCycle } from '../../core/billing/subscription.ts';
import { CoreError, invalid, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { isRecord } from '../files/json.ts';
import { makeUnderstand, type Products, readSubscription, WrongDelivery } from '../webhooks/polar-wire.ts';
import { makeReadDelivery } from '../webhooks/signature.ts';
import { type Fields, makePolarApi, type Refusal, type Reply } from './api.ts';
import { pathOfProducts, pricesIn } from './prices.ts';

export interface PolarSettings {
  /** Base address, with `/v1`. */
  readonly url: string;
  readonly accessToken: string;
  readonly products: Products;
  readonly webhookSecrets: readonly string[];
  /** Where buyers go on to; asked for at each checkout, since an address may be known only once we listen. */
  readonly successUrl: () => string;
  readonly returnUrl: () => string;
}

export interface PolarProvider extends BillingProvider {
  /** False while it is down, as far as the calls of this process tell. It costs no call. */
  isUp(): boolean;
  close(): void;
}

/** Refusals that are about our account with the provider: no fault of the buyer. */
const OURS = new Set([
  'NotPermitted',
  'PaymentNotReady',
  'OrganizationNotReadyForPayments',
  'insufficient_scope',
]);

/** Answers to a wish to be forgotten that will be the same again: no credentials, no right, not in this way. */
const LASTING = new Set([401, 403, 422]);

/** Milliseconds for which a question about prices waits for its turn. */
const PRICES_PATIENCE = 2_000;

const strange = () =>
  unavailable('billing_unavailable', 'The payment provider gave an answer that makes no sense.');

const bodyOf = (reply: Reply): Fields => {
  if ('body' in reply) return reply.body;
  throw strange();
};

/** A page of the provider's to send somebody to. */
const addressOf = (value: unknown): string => {
  if (typeof value === 'string' && /^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value))
    return value;
  throw strange();
};

/** A path of the provider's that names one of our users. */
const external = (userId: string, more = '') => `/customers/external/${encodeURIComponent(userId)}${more}`;

const isUnknown = (reply: Reply): boolean => 'refusal' in reply && reply.refusal.status === 404;

/** Sells by Polar. Nothing of it is on the way of those who do not buy. See decision 0032. */
export const makePolarProvider = (given: PolarSettings & { readonly log: Log }): PolarProvider => {
  const { products, webhookSecrets, successUrl, returnUrl } = given;
  const api = makePolarApi(given);
  const readDelivery = makeReadDelivery(webhookSecrets);

  const stateIn = (body: Fields): CustomerState => {
    const { id, active_subscriptions: live } = body;
    if (typeof id !== 'string' || !Array.isArray(live) || !live.every(isRecord)) throw strange();
    try {
      const subscriptions = live.map((one) => readSubscription({ ...one, customer_id: id }, products));
      return { customerId: id, subscriptions };
    } catch (error) {
      throw error instanceof WrongDelivery ? strange() : error;
    }
  };

  const refuse = ({ status, error }: Refusal): CoreError => {
    if (status === 403 && !OURS.has(error)) {
      return new CoreError('conflict', 'already_subscribed', 'There is a subscription already.');
    }
    if (status === 422) return invalid('checkout_refused', 'The payment provider does not sell this to you.');
    return strange();
  };

  const checkout = async (buyer: Buyer, plan: string, cycle: BillingCycle): Promise<string> => {
    const product = products[plan]?.[cycle];
    if (product === undefined) throw invalid('checkout_refused', 'This plan is not sold with this cycle.');
    const reply = await api.call('POST', '/checkouts/', {
      products: [product],
      external_customer_id: buyer.userId,
      customer_email: buyer.email,
      ...(buyer.name !== null && { customer_name: buyer.name }),
      customer_ip_address: buyer.address,
      success_url: successUrl(),
      return_url: returnUrl(),
    });
    if ('refusal' in reply) throw refuse(reply.refusal);
    return addressOf(reply.body.url);
  };

  return {
    checkout,
    portal: async (userId) => {
      const reply = await api.call('POST', '/customer-sessions/', {
        external_customer_id: userId,
        return_url: returnUrl(),
      });
      // Of a customer that it does not know, Polar says that the request is not valid.
      if ('refusal' in reply && (isUnknown(reply) || reply.refusal.status === 422)) return undefined;
      return addressOf(bodyOf(reply).customer_portal_url);
    },
    prices: async () => {
      // A person waits for them, if not as a buyer does.
      const reply = await api.call('GET', pathOfProducts(products), undefined, PRICES_PATIENCE);
      const prices = pricesIn(bodyOf(reply), products);
      if (prices === undefined) throw strange();
      return prices;
    },
    stateOf: async (userId) => {
      const reply = await api.call('GET', external(userId, '/state'));
      const customer = isUnknown(reply) ? undefined : stateIn(bodyOf(reply));
      return { asOf: reply.reachedAt, customer };
    },
    restsFor: api.restsFor,
    anonymise: async (userId) => {
      const reply = await api.call('DELETE', external(userId, '?anonymize=true'));
      if (isUnknown(reply)) return;
      if ('refusal' in reply && LASTING.has(reply.refusal.status)) {
        const words = `The payment provider refuses to forget a customer (${reply.refusal.status}).`;
        throw new CoreError('refused', 'billing_refused', words);
      }
      bodyOf(reply);
    },
    readDelivery: async (headers, raw, now) => readDelivery(headers, raw, now),
    understand: makeUnderstand(products),
    isUp: api.isUp,
    close: api.close,
  };
};
