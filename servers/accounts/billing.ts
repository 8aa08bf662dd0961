import { checkoutInput, providerPage } from '../../core/billing/checkout.ts';
import { planList } from '../../core/billing/list-plans.ts';
import { receivedEvent } from '../../core/billing/receive-event.ts';
import { subscriptionView } from '../../core/billing/show-subscription.ts';
import type { Billing, ProviderPage } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok, type ResponseBody } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';

const DELIVERY_BYTES_MOST = 262_144;

/** The headers of Standard Webhooks. */
const signature = object({
  'webhook-id': text({
    minLength: 1,
    maxLength: 256,
    description: 'The id of the delivery, in printable ASCII; a second delivery with this id has no effect',
    examples: ['msg_2b7d'],
  }),
  'webhook-timestamp': text({ description: 'Unix seconds', examples: ['1795284000'] }),
  'webhook-signature': text({
    description: '`v1,` and the HMAC-SHA256 of id, time and body in base64; several are separated by blanks',
    examples: ['v1,c2lnbmF0dXJl'],
  }),
});

/**
 * Redirects to the provider's page. A browser sends no bearer token when it navigates, so a script asks for the address as
 * JSON and navigates there itself. The interface fixes a status for each page: 303 to the checkout, 307 to the portal.
 */
const sendTo = (status: 303 | 307, { url }: ProviderPage, accept = ''): ResponseBody<ProviderPage> =>
  accept.includes('application/json') ? ok({ url }) : { status, headers: { Location: url } };

const ADDRESS = { description: 'The address, for `Accept: application/json`.', schema: providerPage };
const LOCATION = { Location: 'Where to go on' };
const PROVIDER_DOWN = {
  description: 'The payment provider is down.',
  errors: ['billing_unavailable'],
} as const;

/** Subscriptions: spec section 4.1. The redirects take no HEAD requests: those of link previews must not open a checkout. */
export const billingRoutes = (billing: Billing): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/subscription',
    summary: 'The subscription that grants the caller access now, priced in złoty',
    answers: {
      200: { description: 'The subscription.', schema: subscriptionView },
      404: { description: 'No subscription grants access.', errors: ['no_active_subscription'] },
      503: { description: 'The price cannot be converted.', errors: ['price_unavailable'] },
    },
    run: async ({ principal }) => ok(await billing.showSubscription(principal.user.id)),
  }),
  openRoute({
    method: 'GET',
    path: '/api/billing/plans',
    summary: 'What can be bought, priced in złoty',
    answers: {
      200: { description: 'The plans; empty where nothing is sold.', schema: planList },
      503: { description: 'The prices cannot be learned or converted.', errors: ['price_unavailable'] },
    },
    run: async () => ok(await billing.listPlans()),
  }),
  signedIn({
    method: 'GET',
    withoutHead: true,
    path: '/api/billing/checkout',
    summary: 'Go and buy a plan',
    query: checkoutInput,
    answers: {
      200: ADDRESS,
      303: { description: 'To the provider’s checkout.', headers: LOCATION },
      400: {
        description: 'No such plan or billing cycle, or the payment provider refuses to sell it.',
        errors: ['invalid_plan', 'invalid_billing_cycle', 'checkout_refused'],
      },
      409: { description: 'There is already a subscription.', errors: ['already_subscribed'] },
      503: PROVIDER_DOWN,
    },
    run: async ({ principal, query, caller: { address }, headers }) =>
      sendTo(303, await billing.checkout(principal.user.id, query, address), headers.accept),
  }),
  signedIn({
    method: 'GET',
    withoutHead: true,
    path: '/api/billing/portal',
    summary: 'Go and manage the subscription',
    answers: {
      200: ADDRESS,
      307: { description: 'To the provider’s portal.', headers: LOCATION },
      400: { description: 'Nothing was bought yet.', errors: ['no_billing_customer'] },
      503: PROVIDER_DOWN,
    },
    run: async ({ principal, headers }) =>
      sendTo(307, await billing.openPortal(principal.user.id), headers.accept),
  }),
  openRoute({
    method: 'POST',
    path: '/api/webhooks/drop',
    summary: 'Deliveries of the payment provider, signed as Standard Webhooks says',
    countsRefusals: true,
    raw: { longest: DELIVERY_BYTES_MOST },
    headers: signature,
    example: { body: { type: 'order.paid', timestamp: '2026-11-21T18:00:00Z', data: {} } },
    answers: {
      200: { description: 'The delivery is stored, and takes effect soon.', schema: receivedEvent },
      403: { description: 'Not signed by the provider, or too long ago.', errors: ['invalid_signature'] },
      503: { description: 'The delivery could not be stored: send it again.' },
    },
    run: async ({ headers, upload }) => ok(await billing.receiveEvent(headers, upload)),
  }),
];
