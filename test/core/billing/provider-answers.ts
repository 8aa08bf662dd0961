import type { CustomerState, ProviderAnswer, Subscription } from '../../../core/billing/index.ts';
import { unavailable } from '../../../core/index.ts';

const NOW = Date.UTC(2026, 0, 1);
const END = NOW + 30 * 86_400_000;

/** A subscription as the provider returns it. */
export const liveSubscription = (overrides: Partial<Subscription> = {}): Subscription => ({
  id: 'sold',
  customerId: 'customer',
  status: 'active',
  plan: 'pro',
  billingCycle: 'monthly',
  productName: '',
  amount: 999,
  currency: 'usd',
  interval: 'month',
  currentPeriodStart: NOW,
  currentPeriodEnd: END,
  cancelAtPeriodEnd: false,
  pastDueAt: null,
  endedAt: null,
  ...overrides,
});

/** A provider whose answers the test sets for each user. */
export const makeProvider = (asOf: () => number | null) => {
  const settings = { asOf };
  const calls: string[] = [];
  const answers = new Map<string, CustomerState | Error>();
  const stateOf = async (userId: string): Promise<ProviderAnswer> => {
    calls.push(userId);
    const customer = answers.get(userId);
    if (customer instanceof Error) throw customer;
    return { asOf: settings.asOf(), customer };
  };
  /** Users for whom the provider asks for a pause, once for each time that their id is listed. */
  const throttled: string[] = [];
  let restMs = 0;
  const stateOrThrottled = async (userId: string) => {
    const place = throttled.indexOf(userId);
    restMs = place < 0 ? 0 : 17_000;
    if (place < 0) return stateOf(userId);
    throttled.splice(place, 1);
    throw BILLING_DOWN;
  };
  return { settings, calls, answers, throttled, stateOf: stateOrThrottled, rateLimitEndsInMs: () => restMs };
};
export const BILLING_DOWN = unavailable('billing_unavailable', 'Down.', 5);
