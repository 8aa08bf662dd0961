import { randomUUID } from 'node:crypto';
import type { BillingProvider } from '../../core/billing/ports.ts';
import { CoreError, invalid } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { makeUnderstand, readSubscription } from '../webhooks/polar-wire.ts';
import { makeReadDelivery } from '../webhooks/signature.ts';
import type { Book, Books, SandboxSubscription } from './book.ts';
import { catalogue, findProduct, intervalOf, type Product, productById, products } from './catalogue.ts';
import { type Button, type Change, isLive, newSubscription, paid, press } from './changes.ts';
import { makePasses, type Pass } from './passes.ts';
import { type Mischief, makePost, type SendDelivery } from './post.ts';
import { customerWire, eventBody, subscriptionWire } from './wire.ts';

/** Milliseconds for which an address of a page is good. */
const PASS_LIFE = 3_600_000;

/** A subscription as the portal shows it. */
export interface ShownSubscription {
  readonly id: string;
  readonly name: string;
  /** Cents of a dollar for one period. */
  readonly amount: number;
  readonly cycle: string;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly periodEnd: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly live: boolean;
}

/** What a person can do on the pages of the sandbox. Each returns undefined for an address that is wrong or expired. */
export interface BuyerActions {
  checkout(token: string): Promise<{ readonly product: Product; readonly email: string } | undefined>;
  /** Gives where the buyer goes on to. */
  pay(token: string): Promise<string | undefined>;
  portal(token: string): Promise<
    | {
        readonly email: string;
        readonly subscriptions: readonly ShownSubscription[];
        readonly returnUrl: string;
      }
    | undefined
  >;
  press(token: string, subscriptionId: string, button: Button): Promise<true | undefined>;
}

export interface SandboxBilling {
  readonly provider: BillingProvider;
  readonly buyerActions: BuyerActions;
  /** Resolves when the deliveries so far are taken or given up. */
  posted(): Promise<void>;
  close(): Promise<void>;
}

const shown = (one: SandboxSubscription, now: number): ShownSubscription => {
  const { name = '', amount = 0, cycle = '' } = productById(one.productId) ?? {};
  const { id, status, periodEnd, cancelAtPeriodEnd } = one;
  return { id, name, amount, cycle, status, periodEnd, cancelAtPeriodEnd, live: isLive(one, now) };
};

/**
 * A payment provider for trying out: no account, no network, no money. Its pages are served by the account service, and
 * what is done there comes as the events that Polar would send.
 */
export const openSandboxBilling = (given: {
  readonly books: Books;
  readonly send: SendDelivery;
  readonly secrets: readonly string[];
  readonly origin: () => string;
  readonly successUrl: () => string;
  readonly returnUrl: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly mischief?: () => Mischief;
}): SandboxBilling => {
  const { books, secrets, origin, successUrl, returnUrl, clock } = given;
  const [secret = ''] = secrets;
  const passes = makePasses(secret);
  const { post, posted, close } = makePost({ ...given, secret, mischief: given.mischief ?? (() => ({})) });
  const readDelivery = makeReadDelivery(secrets);

  const addressOf = (page: string, pass: Omit<Pass, 'expiresAt'>): string => {
    const token = passes.write({ ...pass, expiresAt: clock.now() + PASS_LIFE });
    return `${origin()}/sandbox/billing/${page}/${token}`;
  };

  /** Tells of a change in the order in which Polar would; events of one moment are a microsecond apart. */
  const tell = (book: Book, { next, kinds }: Change, now: number, from = 0): readonly string[] =>
    kinds.map((kind, place) =>
      eventBody(`subscription.${kind}`, now, from + place, subscriptionWire(book, next)),
    );

  const replace = (book: Book, next: SandboxSubscription): Book => ({
    ...book,
    subscriptions: [...book.subscriptions.filter(({ id }) => id !== next.id), next],
  });

  const pay = async (token: string): Promise<string | undefined> => {
    const now = clock.now();
    const { userId, productId, checkoutId } = passes.read(token, now) ?? {};
    if (userId === undefined || !productId || !checkoutId) return undefined;
    const opened = newSubscription(productId, checkoutId, now);
    const made = paid(opened, now);
    let before: Book | undefined;
    const book = await books.change(userId, (found) => {
      before = found;
      const isPaid = found.subscriptions.some((one) => one.checkoutId === checkoutId);
      return isPaid ? found : { ...replace(found, made.next), told: true };
    });
    if (book === undefined || before === undefined) return undefined;
    // A second click pays nothing.
    if (book !== before && book.subscriptions.some(({ id }) => id === opened.id)) {
      const created = { next: opened, kinds: ['created'] };
      post([
        ...(before.told ? [] : [eventBody('customer.created', now, 0, customerWire(book))]),
        ...tell(book, created, now, 1),
        ...tell(book, made, now, 2),
      ]);
    }
    return successUrl().replaceAll('{CHECKOUT_ID}', checkoutId);
  };

  const provider: BillingProvider = {
    checkout: async ({ userId, email, name }, plan, cycle) => {
      const product = findProduct(plan, cycle);
      if (product === undefined) throw invalid('checkout_refused', 'The sandbox does not sell this plan.');
      const now = clock.now();
      const book = await books.open({ userId, email, name }, now);
      if (book.subscriptions.some((one) => isLive(one, now))) {
        throw new CoreError('conflict', 'already_subscribed', 'There is a subscription already.');
      }
      return addressOf('checkout', { userId, productId: product.id, checkoutId: randomUUID() });
    },
    portal: async (userId) =>
      (await books.find(userId)) === undefined
        ? undefined
        : addressOf('portal', { userId, productId: null, checkoutId: null }),
    prices: async () =>
      catalogue.map(({ plan, cycle, name, amount }) => ({
        plan,
        billingCycle: cycle,
        productName: name,
        amount,
        currency: 'usd',
        interval: intervalOf(cycle),
      })),
    stateOf: async (userId) => {
      const asOf = clock.now();
      const book = await books.find(userId);
      if (book === undefined) return { asOf, customer: undefined };
      const live = book.subscriptions.filter((one) => isLive(one, clock.now()));
      const subscriptions = live.map((one) => readSubscription(subscriptionWire(book, one), products));
      return { asOf, customer: { customerId: book.customerId, subscriptions } };
    },
    restsFor: () => 0,
    anonymise: (userId) => books.remove(userId),
    readDelivery: async (headers, raw, now) => readDelivery(headers, raw, now),
    understand: makeUnderstand(products),
  };

  const buyerActions: BuyerActions = {
    checkout: async (token) => {
      const { userId, productId } = passes.read(token, clock.now()) ?? {};
      const product = catalogue.find(({ id }) => id === productId);
      const book = userId === undefined ? undefined : await books.find(userId);
      return product === undefined || book === undefined ? undefined : { product, email: book.email };
    },
    pay,
    portal: async (token) => {
      const now = clock.now();
      const pass = passes.read(token, now);
      const book = pass === undefined || pass.productId !== null ? undefined : await books.find(pass.userId);
      if (book === undefined) return undefined;
      const subscriptions = book.subscriptions.map((one) => shown(one, now));
      return { email: book.email, subscriptions: subscriptions.toReversed(), returnUrl: returnUrl() };
    },
    press: async (token, subscriptionId, button) => {
      const now = clock.now();
      const pass = passes.read(token, now);
      if (pass === undefined || pass.productId !== null) return undefined;
      let change: Change | undefined;
      const book = await books.change(pass.userId, (found) => {
        const one = found.subscriptions.find(({ id }) => id === subscriptionId);
        change = one && press(one, button, now);
        return change === undefined ? found : replace(found, change.next);
      });
      if (book === undefined) return undefined;
      if (change !== undefined) post(tell(book, change, now));
      return true;
    },
  };

  return { provider, buyerActions, posted, close };
};
