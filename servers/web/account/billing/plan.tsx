import type { AccountsSchemas } from '../../../client/index.ts';
import { accounts, outcome } from '../../base/api.ts';
import { user } from '../../base/session.ts';
import { Card } from '../../kit/card.tsx';
import { Load } from '../../kit/load.tsx';
import { Notice } from '../../kit/messages.tsx';
import { type Outcome, type Problem, wordsOf } from '../../kit/problem.ts';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';
import { AccountPage } from '../account-page.tsx';
import { ManagePlan } from './manage-plan.tsx';
import { type Offer, PlanOffers, readOffers } from './plan-offers.tsx';
import { PriceLine } from './price.tsx';

type Subscription = AccountsSchemas['Subscription'];

interface Plans {
  readonly subscription: Subscription | null;
  /** Whether there is a subscription that cannot be shown, since its price is unavailable. */
  readonly isUnpriced: boolean;
  readonly offers: readonly Offer[];
  /** Why a price is missing: that of the subscription or, if there is no subscription, those of the offers. */
  readonly problem: Problem | undefined;
}

/** The refusals after which the page shows the tier: there is no subscription, or its price is unavailable. */
const MISSING: readonly string[] = ['no_active_subscription', 'price_unavailable'];

const readPlan = async (): Promise<Outcome<Plans>> => {
  const [{ data, problem }, offered] = await Promise.all([
    outcome(accounts.GET('/api/subscription')),
    readOffers(),
  ]);
  if (problem !== undefined && !MISSING.includes(problem.code)) return { problem };
  // A user with a plan cannot buy another one.
  const canBuy = problem?.code === 'no_active_subscription';
  return {
    data: {
      subscription: data ?? null,
      isUnpriced: problem !== undefined && !canBuy,
      offers: canBuy ? offered.offers : [],
      problem: canBuy ? offered.problem : problem,
    },
  };
};

const CurrentSubscription = ({
  status,
  price,
  product,
  currentPeriodEnd,
  cancelAtPeriodEnd,
}: Subscription) => {
  const { plan } = t();
  const isPastDue = status === 'past_due';
  // Nothing renews before the payment.
  const end = currentPeriodEnd === null || isPastDue ? null : shownDate(currentPeriodEnd * 1_000);
  return (
    <>
      <h3>
        <UserText text={product.name} />
      </h3>
      <PriceLine price={price} />
      {isPastDue ? <Notice tone="danger">{plan.pastDue}</Notice> : null}
      {end === null ? null : <p>{cancelAtPeriodEnd ? plan.ends(end) : plan.renews(end)}</p>}
    </>
  );
};

/** The tier where no subscription can be shown. A paid tier without a subscription was granted by operators. */
const CurrentTier = ({ isUnpriced }: { readonly isUnpriced: boolean }) => {
  const { plan } = t();
  const tier = user.value?.serviceAccess[0]?.tier ?? 'free';
  return (
    <>
      <h3 class="tier">{tier === 'free' ? plan.free : <UserText text={tier} />}</h3>
      {isUnpriced || tier === 'free' ? null : <p>{plan.team}</p>}
    </>
  );
};

export const PlanPage = () => (
  <AccountPage>
    <Load request={readPlan}>
      {({ subscription, isUnpriced, offers, problem }, reload) => (
        <>
          <Card title={t().account.plan}>
            {subscription === null ? (
              <CurrentTier isUnpriced={isUnpriced} />
            ) : (
              <CurrentSubscription {...subscription} />
            )}
            {isUnpriced || subscription !== null ? <ManagePlan /> : null}
            {problem === undefined ? null : <Notice tone="warn">{wordsOf(problem)}</Notice>}
          </Card>
          {offers.length === 0 ? null : <PlanOffers offers={offers} reload={reload} />}
        </>
      )}
    </Load>
  </AccountPage>
);
