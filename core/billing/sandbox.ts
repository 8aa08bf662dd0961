/** The actions on a subscription in the portal of the sandbox. */
export const BUTTONS = ['cancel', 'resume', 'renew', 'revoke'] as const;
export type Button = (typeof BUTTONS)[number];

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
  /** Whether it still grants its plan. */
  readonly live: boolean;
}

export interface ShownCheckout {
  readonly product: Pick<ShownSubscription, 'name' | 'amount' | 'cycle'>;
  readonly email: string;
  /** Whether the buyer has a live subscription, so that there is nothing to pay. */
  readonly isSubscribed: boolean;
  readonly returnUrl: string;
}

export interface ShownPortal {
  readonly email: string;
  readonly subscriptions: readonly ShownSubscription[];
  readonly returnUrl: string;
}

/** The actions on the pages of the sandbox. Each returns undefined for a wrong or expired `token`, the last part of the address. */
export interface BuyerActions {
  checkout(token: string): Promise<ShownCheckout | undefined>;
  /** Returns the address to which the buyer is redirected; null if nothing was paid because of another live subscription. */
  pay(token: string): Promise<string | null | undefined>;
  portal(token: string): Promise<ShownPortal | undefined>;
  press(token: string, subscriptionId: string, button: Button): Promise<true | undefined>;
}
