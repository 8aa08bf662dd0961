import type { CustomerState, ProviderAnswer, Subscription } from '../../../core/billing/index.ts';
import { unavailable } from '../../../core/index.ts';

const NOW = Date.UTC(2026, 0, 1);
const END = NOW + 30 * 86_400_000;

/** A subscription as the provider answers it. */
export const live = (overrides: Partial<Subscription> = {}): Subscription => ({
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

/** A provider whose answers a test gives, by user. */
export const makeAnswers = (asOf: () => number | null) => {
  const settings = { asOf };
  const asked: string[] = [];
  const answers = new Map<string, CustomerState | Error>();
  const stateOf = async (userId: string): Promise<ProviderAnswer> => {
    asked.push(userId);
    const customer = answers.get(userId);
    if (customer instanceof Error) throw customer;
    return { asOf: settings.asOf(), customer };
  };
  /** Users about whom it asks for a pause, once for each time that they stand here. */
  const throttled: string[] = [];
  let rests = 0;
  const stateOfOrRest = async (userId: string) => {
    const place = throttled.indexOf(userId);
    rests = place < 0 ? 0 : 17_000;
    if (place < 0) return stateOf(userId);
    throttled.splice(place, 1);
    throw DOWN;
  };
  return { given: settings, asked, answers, throttled, stateOf: stateOfOrRest, restsFor: () => rests };
};
export const DOWN = unavailable('billing_unavailable', 'Down.', 5);
