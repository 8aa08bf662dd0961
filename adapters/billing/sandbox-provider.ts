import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Billing } from '../../core/billing/api.ts';
import type { BillingProvider, SignedDelivery } from '../../core/billing/ports.ts';
import type { BuyerActions, ShownSubscription } from '../../core/billing/sandbox.ts';
import { CoreError, invalid } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { makeParseEvent, readSubscription } from '../signed-deliveries/polar-events.ts';
import { makeReadDelivery, signDelivery } from '../signed-deliveries/signature.ts';
import { catalogue, findProduct, intervalOf, productById, products } from './sandbox-catalogue.ts';
import type { CustomerRecord, CustomerRecords, SandboxSubscription } from './sandbox-customers.ts';
import { customerWire, eventBody, subscriptionWire } from './sandbox-polar-objects.ts';
import { type Change, isLive, markPaid, newSubscription, press } from './sandbox-subscriptions.ts';

/** The access to a page of the sandbox. */
interface Pass {
  readonly userId: string;
  /** This and `checkoutId` are null for the portal. */
  readonly productId: string | null;
  readonly checkoutId: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Passes are part of the pages' addresses. A MAC keeps people from opening another user's page. */
const makePasses = (secret: string) => {
  const macOf = (text: string) => createHmac('sha256', secret).update(`sandbox-pass:${text}`).digest();

  return {
    write: (pass: Pass): string => {
      const text = Buffer.from(JSON.stringify(pass)).toString('base64url');
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    /** Undefined for a forged or expired pass. */
    read: (token: string, now: number): Pass | undefined => {
      const [text = '', macText = ''] = token.split('.');
      const mac = Buffer.from(macText, 'base64url');
      const expected = macOf(text);
      if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
      const pass = JSON.parse(Buffer.from(text, 'base64url').toString()) as Pass;
      return pass.expiresAt > now ? pass : undefined;
    },
  };
};

const newEvent = (body: string): SignedDelivery => ({ id: `evt_${randomUUID()}`, body });

/** The time for which the address of a page is valid. */
const PASS_LIFE_MS = 3_600_000;

export interface SandboxBilling {
  readonly provider: BillingProvider;
  /** Takes the billing module that receives the events of the actions. */
  buyerActions(billing: Pick<Billing, 'receiveEvent'>): BuyerActions;
}

const isSubscribed = ({ subscriptions }: CustomerRecord, now: number): boolean =>
  subscriptions.some((subscription) => isLive(subscription, now));

const showSubscription = (subscription: SandboxSubscription, now: number): ShownSubscription => {
  const { name = '', amount = 0, cycle = '' } = productById(subscription.productId) ?? {};
  const { id, status, periodEnd, cancelAtPeriodEnd } = subscription;
  return { id, name, amount, cycle, status, periodEnd, cancelAtPeriodEnd, live: isLive(subscription, now) };
};

/**
 * A payment provider for trials: no account, no network, no money. The account service serves its pages, and their actions
 * arrive as the events that Polar would send: signed, and verified by billing like events of Polar.
 */
export const openSandboxBilling = (options: {
  readonly records: CustomerRecords;
  readonly secrets: readonly string[];
  readonly origin: () => string;
  readonly successUrl: () => string;
  readonly returnUrl: () => string;
  readonly clock: Clock;
}): SandboxBilling => {
  const { records, secrets, origin, successUrl, returnUrl, clock } = options;
  const [secret = ''] = secrets;
  const passes = makePasses(secret);
  const readDelivery = makeReadDelivery(secrets);

  const addressOf = (page: string, pass: Omit<Pass, 'expiresAt'>): string => {
    const token = passes.write({ ...pass, expiresAt: clock.now() + PASS_LIFE_MS });
    return `${origin()}/sandbox/billing/${page}/${token}`;
  };

  /** The events about a change, in the order in which Polar sends them. Each is dated a microsecond after the event before. */
  const eventsOf = (record: CustomerRecord, { next, kinds }: Change, now: number, firstMicro = 0) =>
    kinds.map((kind, index) =>
      newEvent(eventBody(`subscription.${kind}`, now, firstMicro + index, subscriptionWire(record, next))),
    );

  /** The record with a changed subscription and the events about the change, so that one write stores both. */
  const withChange = (
    record: CustomerRecord,
    next: SandboxSubscription,
    events: readonly SignedDelivery[],
  ): CustomerRecord => ({
    ...record,
    subscriptions: [...record.subscriptions.filter(({ id }) => id !== next.id), next],
    events: [...(record.events ?? []), ...events],
  });

  const provider: BillingProvider = {
    checkout: async ({ userId, email, name }, plan, cycle) => {
      const product = findProduct(plan, cycle);
      if (product === undefined) throw invalid('checkout_refused', 'The sandbox does not sell this plan.');
      const now = clock.now();
      const record = await records.open({ userId, email, name }, now);
      if (isSubscribed(record, now)) {
        throw new CoreError('conflict', 'already_subscribed', 'There is already a subscription.');
      }
      return addressOf('checkout', { userId, productId: product.id, checkoutId: randomUUID() });
    },
    portal: async (userId) =>
      (await records.find(userId)) === undefined
        ? undefined
        : addressOf('portal', { userId, productId: null, checkoutId: null }),
    prices: async () =>
      catalogue.map(({ plan, cycle, name, description, amount }) => ({
        plan,
        billingCycle: cycle,
        productName: name,
        description,
        amount,
        currency: 'usd',
        interval: intervalOf(cycle),
      })),
    stateOf: async (userId) => {
      const asOf = clock.now();
      const record = await records.find(userId);
      if (record === undefined) return { asOf, customer: undefined };
      const live = record.subscriptions.filter((subscription) => isLive(subscription, asOf));
      const subscriptions = live.map((subscription) =>
        readSubscription(subscriptionWire(record, subscription), products),
      );
      return { asOf, customer: { customerId: record.customerId, email: record.email, subscriptions } };
    },
    // There is no rate limit.
    rateLimitEndsInMs: () => 0,
    anonymise: (userId) => records.remove(userId),
    changeEmail: async (userId, email) => {
      await records.change(userId, (record) => ({ ...record, email }));
    },
    readDelivery: async (headers, raw, now) => readDelivery(headers, raw, now),
    parseEvent: makeParseEvent(products),
  };

  const buyerActions = ({ receiveEvent }: Pick<Billing, 'receiveEvent'>): BuyerActions => {
    /** Billing stores an event before the record drops it. After a crash, the next action or visit of the portal delivers it. */
    const deliverEvents = async ({ userId, events = [] }: CustomerRecord): Promise<void> => {
      for (const event of events)
        await receiveEvent(signDelivery(secret, event, clock.now()), Buffer.from(event.body));
      const delivered = new Set(events.map(({ id }) => id));
      if (delivered.size === 0) return;
      await records.change(userId, (record) => ({
        ...record,
        events: record.events?.filter(({ id }) => !delivered.has(id)) ?? [],
      }));
    };

    /** The record of the customer whose portal the token opens. */
    const recordOfPortal = async (token: string): Promise<CustomerRecord | undefined> => {
      const pass = passes.read(token, clock.now());
      return pass === undefined || pass.productId !== null ? undefined : records.find(pass.userId);
    };

    return {
      checkout: async (token) => {
        const now = clock.now();
        const { userId, productId } = passes.read(token, now) ?? {};
        const product = catalogue.find(({ id }) => id === productId);
        const record = userId === undefined ? undefined : await records.find(userId);
        if (product === undefined || record === undefined) return undefined;
        return {
          product,
          email: record.email,
          isSubscribed: isSubscribed(record, now),
          returnUrl: returnUrl(),
        };
      },
      pay: async (token) => {
        const now = clock.now();
        const { userId, productId, checkoutId } = passes.read(token, now) ?? {};
        if (userId === undefined || !productId || !checkoutId) return undefined;
        const incomplete = newSubscription(productId, checkoutId, now);
        const payment = markPaid(incomplete, now);
        const isPaid = ({ subscriptions }: CustomerRecord) =>
          subscriptions.some((subscription) => subscription.checkoutId === checkoutId);
        const record = await records.change(userId, (current) => {
          // Nothing is paid twice: not by a second click, nor by a second checkout that was opened before the first was paid.
          if (isPaid(current) || isSubscribed(current, now)) return current;
          const customerCreated = newEvent(eventBody('customer.created', now, 0, customerWire(current)));
          const events = [
            // `told`: an earlier payment made this event.
            ...(current.told ? [] : [customerCreated]),
            ...eventsOf(current, { next: incomplete, kinds: ['created'] }, now, 1),
            ...eventsOf(current, payment, now, 2),
          ];
          return { ...withChange(current, payment.next, events), told: true };
        });
        if (record === undefined) return undefined;
        await deliverEvents(record);
        // Null: another live subscription kept this checkout from being paid.
        return isPaid(record) ? successUrl().replaceAll('{CHECKOUT_ID}', checkoutId) : null;
      },
      portal: async (token) => {
        const record = await recordOfPortal(token);
        if (record === undefined) return undefined;
        await deliverEvents(record);
        const now = clock.now();
        const subscriptions = record.subscriptions.map((subscription) => showSubscription(subscription, now));
        return { email: record.email, subscriptions: subscriptions.toReversed(), returnUrl: returnUrl() };
      },
      press: async (token, subscriptionId, button) => {
        const now = clock.now();
        const userId = (await recordOfPortal(token))?.userId;
        if (userId === undefined) return undefined;
        const record = await records.change(userId, (current) => {
          const subscription = current.subscriptions.find(({ id }) => id === subscriptionId);
          const change = subscription && press(subscription, button, now);
          return change ? withChange(current, change.next, eventsOf(current, change, now)) : current;
        });
        if (record === undefined) return undefined;
        await deliverEvents(record);
        return true;
      },
    };
  };

  return { provider, buyerActions };
};
