import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the tests use of the provider's own client, and how it names that. */
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
    ): Promise<{ readonly id: string; readonly activeSubscriptions: readonly TheirSubscription[] }>;
    deleteExternal(customer: object, options: object): Promise<void>;
  };
  readonly products: {
    list(
      products: object,
      options: object,
    ): Promise<{ readonly result: { readonly items: readonly TheirProduct[] } }>;
  };
}

interface TheirProduct {
  readonly id: string;
  readonly name: string;
  readonly recurringInterval: string;
  readonly prices: readonly { readonly priceAmount: number; readonly priceCurrency: string }[];
}

interface TheirSubscription {
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

type Told =
  | { readonly type: 'customer.created' | 'customer.updated'; readonly data: { readonly id: string } }
  | {
      readonly type: 'subscription.active' | 'subscription.updated';
      readonly data: TheirSubscription;
    };

/**
 * The client, from the folder that `GATEHOUSE_TEST_POLAR_CLIENT` names. It has half as many files as all other packages
 * together, and only these tests want it: so nobody has to install it who does not run them.
 */
const load = (name: string) => {
  const folder = process.env.GATEHOUSE_TEST_POLAR_CLIENT;
  if (!folder) throw new Error('GATEHOUSE_TEST_POLAR_CLIENT names no folder.');
  return createRequire(join(folder, 'package.json'))(name);
};

export const loadPolarClient = (): (new (settings: object) => PolarClient) => load('@polar-sh/sdk').Polar;

/** How it reads a delivery. Throws for one that is not signed, or not as Polar writes it. */
export const loadValidateEvent = (): ((
  body: string,
  headers: Readonly<Record<string, string>>,
  secret: string,
) => Told) => load('@polar-sh/sdk/webhooks').validateEvent;
