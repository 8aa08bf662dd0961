import { CoreError } from '../../core/index.ts';
import type { Answer } from '../http/answer.ts';
import { type Html, html, PAGE, page } from '../http/html.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { type StringSchema, schemaOf } from '../http/schema.ts';

type Button = 'cancel' | 'resume' | 'renew' | 'revoke';

interface Subscription {
  readonly id: string;
  readonly name: string;
  /** US cents. */
  readonly amount: number;
  readonly cycle: string;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly periodEnd: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly live: boolean;
}

/** What the sandbox pages need. A call gives undefined for an unknown address. */
export interface Sandbox {
  checkout(token: string): Promise<
    | {
        readonly product: { readonly name: string; readonly amount: number; readonly cycle: string };
        readonly email: string;
      }
    | undefined
  >;
  pay(token: string): Promise<string | undefined>;
  portal(
    token: string,
  ): Promise<
    | { readonly email: string; readonly subscriptions: readonly Subscription[]; readonly returnUrl: string }
    | undefined
  >;
  press(token: string, subscriptionId: string, button: Button): Promise<true | undefined>;
}

const token = {
  type: 'string',
  maxLength: 2_048,
  description: 'From the address that checkout or portal gave',
  examples: ['c2VjcmV0'],
} as const satisfies StringSchema;

const tokenParams = schemaOf<{ readonly token: string }>()({
  type: 'object',
  properties: { token },
  required: ['token'],
});

const buttonParams = schemaOf<{ readonly token: string; readonly id: string; readonly button: Button }>()({
  type: 'object',
  properties: {
    token,
    id: {
      type: 'string',
      maxLength: 64,
      description: 'The subscription’s id',
      examples: ['0199a0b1-6d4f-7e53-8a21-7c3d9f5b8e42'],
    },
    button: { type: 'string', description: 'What to press', enum: ['cancel', 'resume', 'renew', 'revoke'] },
  },
  required: ['token', 'id', 'button'],
});

const TO = { Location: 'Where to go on' };
const NOT_GOOD = { description: 'The address is over, or never was.', errors: ['page_not_found'] };

/** Throws `missing` (`page_not_found`). */
const found = <T>(value: T | undefined): T => {
  if (value !== undefined) return value;
  throw new CoreError('missing', 'page_not_found', 'This page is over: begin again in the app.');
};

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const every = (cycle: string) => (cycle === 'yearly' ? 'a year' : 'a month');
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const seeOther = (address: string): Answer<never> => ({ status: 303, headers: { Location: address } });

const NOTE = html`<p class="note">A sandbox: no money moves, and any card will do.</p>`;

const LABELS: Readonly<Record<Button, string>> = {
  cancel: 'Cancel',
  resume: 'Resume',
  renew: 'Renew',
  revoke: 'Revoke',
};

const stateOf = ({ live, cancelAtPeriodEnd, periodEnd, status }: Subscription): string => {
  if (!live) return `Ended (${status}).`;
  return cancelAtPeriodEnd ? `Cancelled, ends on ${day(periodEnd)}.` : `Active, renews on ${day(periodEnd)}.`;
};

const buttonsOf = ({ live, cancelAtPeriodEnd }: Subscription): readonly Button[] => {
  if (!live) return [];
  return cancelAtPeriodEnd ? ['resume', 'revoke'] : ['cancel', 'renew', 'revoke'];
};

const buttonPart = (button: Button, one: Subscription, token: string): Html =>
  html`<form method="post" action="/sandbox/billing/portal/${token}/${one.id}/${button}">
<button class="${button === 'revoke' ? 'grave' : 'plain'}" aria-describedby="name-${one.id}">${LABELS[button]}</button></form>`;

const subscriptionPart = (
  one: Subscription,
  token: string,
): Html => html`<section aria-labelledby="name-${one.id}">
<h2 id="name-${one.id}">${one.name}</h2>
<p>${dollars(one.amount)} ${every(one.cycle)}</p>
<p>${stateOf(one)}</p>
<div class="buttons">${buttonsOf(one).map((button) => buttonPart(button, one, token))}</div>
</section>`;

/** The pages of the sandbox. They work without scripts. */
export const sandboxRoutes = (sandbox: Sandbox): readonly AnyRoute[] => [
  route({
    method: 'GET',
    path: '/sandbox/billing/checkout/{token}',
    summary: 'The sandbox’s checkout',
    access: 'open',
    bucket: 'default',
    params: tokenParams,
    answers: { 200: { description: 'The page.', ...PAGE }, 404: NOT_GOOD },
    run: async ({ params: { token } }) => {
      const { product, email } = found(await sandbox.checkout(token));
      return page(
        'Checkout',
        html`<section>
<h1>${product.name}</h1>
<p class="price">${dollars(product.amount)} ${every(product.cycle)}</p>
<p>For ${email}</p>
<form class="whole" method="post" action="/sandbox/billing/checkout/${token}/pay">
<label>Card number<input name="card" inputmode="numeric" autocomplete="off" value="4242 4242 4242 4242"></label>
<label>Name on the card<input name="name" autocomplete="off" value="Ada Lovelace"></label>
<button>Pay</button>
</form>
</section>${NOTE}`,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/sandbox/billing/checkout/{token}/pay',
    summary: 'Pay in the sandbox',
    access: 'open',
    bucket: 'default',
    params: tokenParams,
    answers: { 303: { description: 'To where buyers go on.', headers: TO }, 404: NOT_GOOD },
    run: async ({ params: { token } }) => seeOther(found(await sandbox.pay(token))),
  }),
  route({
    method: 'GET',
    path: '/sandbox/billing/portal/{token}',
    summary: 'The sandbox’s portal',
    access: 'open',
    bucket: 'default',
    params: tokenParams,
    answers: { 200: { description: 'The page.', ...PAGE }, 404: NOT_GOOD },
    run: async ({ params: { token } }) => {
      const { email, subscriptions, returnUrl } = found(await sandbox.portal(token));
      const parts = subscriptions.map((one) => subscriptionPart(one, token));
      const none = html`<section><p>Nothing was bought yet.</p></section>`;
      return page(
        'Your subscriptions',
        html`<h1>Your subscriptions</h1><p>${email}</p>${parts.length === 0 ? none : parts}<p><a href="${returnUrl}">Back to the app</a></p>${NOTE}`,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/sandbox/billing/portal/{token}/{id}/{button}',
    summary: 'Press a button of the sandbox’s portal',
    access: 'open',
    bucket: 'default',
    params: buttonParams,
    answers: { 303: { description: 'Back to the portal.', headers: TO }, 404: NOT_GOOD },
    run: async ({ params: { token, id, button } }) => {
      found(await sandbox.press(token, id, button));
      return seeOther(`/sandbox/billing/portal/${token}`);
    },
  }),
];
