import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../../client/index.ts';
import { accounts, outcome } from '../../base/api.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Notice } from '../../kit/messages.tsx';
import { wordsOf } from '../../kit/problem.ts';
import { UserText } from '../../kit/user-text.tsx';
import { t } from '../../text/language.ts';
import { ManagePlan } from './manage-plan.tsx';
import { usePaymentRedirect } from './payment-redirect.ts';
import { PriceLine, YearlySaving } from './price.tsx';

const CYCLES = ['monthly', 'yearly'] as const;

/** A plan that can be bought. Its price may be unknown for a while. */
export interface Offer extends Omit<AccountsSchemas['Plan'], 'price'> {
  readonly price: AccountsSchemas['Price'] | null;
}

/** The plans to show while prices are unavailable. */
const UNPRICED: readonly Offer[] = CYCLES.flatMap((billingCycle) =>
  [['pro-lite', 'Pro Lite'] as const, ['pro', 'Pro'] as const].map(([plan, name]) => ({
    plan,
    billingCycle,
    product: { name, description: null },
    price: null,
  })),
);

export const readOffers = async () => {
  const { data, problem } = await outcome(accounts.GET('/api/billing/plans'));
  return data === undefined ? { offers: UNPRICED, problem } : { offers: data.plans };
};

export const PlanOffers = ({
  offers,
  reload,
}: {
  readonly offers: readonly Offer[];
  readonly reload: () => Promise<void>;
}) => {
  const cycles = CYCLES.filter((option) => offers.some(({ billingCycle }) => billingCycle === option));
  const chosen = useSignal<Offer['billingCycle']>('monthly');
  // The offers may change when they are read again.
  const cycle = cycles.includes(chosen.value) ? chosen.value : (cycles[0] ?? 'monthly');
  const { problem, busy, leave } = usePaymentRedirect();
  const { plan } = t();
  const monthlyPriceOf = (id: string) =>
    offers.find((offer) => offer.plan === id && offer.price?.interval === 'month')?.price;
  const buy = async (selectedPlan: string) => {
    const query = { plan: selectedPlan, billingCycle: cycle };
    await leave(selectedPlan, () => outcome(accounts.GET('/api/billing/checkout', { params: { query } })));
    if (problem.value?.code === 'already_subscribed') await reload();
  };
  return (
    <Card title={plan.buy}>
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      {problem.value?.code === 'already_subscribed' ? <ManagePlan /> : null}
      <fieldset class="choices">
        <legend class="visually-hidden">{plan.cycle}</legend>
        {cycles.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="cycle"
              checked={cycle === option}
              onChange={() => {
                chosen.value = option;
              }}
            />
            {plan[option]}
          </label>
        ))}
      </fieldset>
      <ul class="plans">
        {offers
          .filter(({ billingCycle }) => billingCycle === cycle)
          .map(({ plan: id, product: { name, description }, price }) => (
            <li key={id} class="stack">
              <h3>
                <UserText text={name} />
              </h3>
              {description === null ? null : (
                <p>
                  <UserText text={description} />
                </p>
              )}
              {price === null ? null : <PriceLine price={price} />}
              {price?.interval === 'year' ? <YearlySaving month={monthlyPriceOf(id)} year={price} /> : null}
              <Button busy={busy.value === id && t().account.leaving} onPress={() => buy(id)}>
                {plan.choose(name)}
              </Button>
            </li>
          ))}
      </ul>
    </Card>
  );
};
