import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the provider's own client that the tests use. */
export interface PolarClient {
  readonly checkouts: {
    create(checkout: object, options: object): Promise<{ readonly url: string }>;
  };
  readonly customerSessions: {
    create(session: object, options: object): Promise<{ readonly customerPortalUrl: string }>;
  };
  readonly customers: {
    getStateExternal(
      customer: object,
      options: object,
    ): Promise<{ readonly id: string; readonly activeSubscriptions: readonly ClientSubscription[] }>;
    updateExternal(change: object, options: object): Promise<{ readonly email: string }>;
    deleteExternal(customer: object, options: object): Promise<void>;
  };
  readonly products: {
    list(
      products: object,
      options: object,
    ): Promise<{ readonly result: { readonly items: readonly ClientProduct[] } }>;
  };
}

interface ClientProduct {
  readonly id: string;
  readonly name: string;
  readonly recurringInterval: string;
  readonly prices: readonly { readonly priceAmount: number; readonly priceCurrency: string }[];
}

interface ClientSubscription {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly recurringInterval: string;
  readonly currentPeriodStart: Date;
  readonly currentPeriodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
  readonly product: { readonly name: string };
}

type ParsedEvent =
  | { readonly type: 'customer.created' | 'customer.updated'; readonly data: { readonly id: string } }
  | {
      readonly type: 'subscription.active' | 'subscription.updated';
      readonly data: ClientSubscription;
    };

/**
 * Loads the client from the folder that `GATEHOUSE_TEST_POLAR_CLIENT` names. The client is no dependency, because it has half
 * as many files as all other packages together, and only these tests need it.
 */
const load = (name: string) => {
  const folder = process.env.GATEHOUSE_TEST_POLAR_CLIENT;
  if (!folder) throw new Error('GATEHOUSE_TEST_POLAR_CLIENT is not set.');
  return createRequire(join(folder, 'package.json'))(name);
};

export const loadPolarClient = (): (new (settings: object) => PolarClient) => load('@polar-sh/sdk').Polar;

/** Parses a delivery. Throws if the delivery is not signed or not in Polar's format. */
export const loadValidateEvent = (): ((
  body: string,
  headers: Readonly<Record<string, string>>,
  secret: string,
) => ParsedEvent) => load('@polar-sh/sdk/webhooks').validateEvent;
