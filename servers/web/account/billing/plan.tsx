import type { AccountsSchemas } from '../../../client/index.ts';
import { accounts, outcome } from '../../base/api.ts';
import { user } from '../../base/session.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Load } from '../../kit/load.tsx';
import { Notice } from '../../kit/messages.tsx';
import { type Outcome, type Problem, wordsOf } from '../../kit/problem.ts';
import { UserText } from '../../kit/user-text.tsx';
import { shownDate, t } from '../../text/language.ts';
import { AccountPage } from '../account-page.tsx';
import { usePaymentRedirect } from './payment-redirect.ts';
import { type Offer, PlanOffers, readOffers } from './plan-offers.tsx';
import { PriceLine } from './price.tsx';

type Subscription = AccountsSchemas['Subscription'];

interface Plans {
  readonly subscription: Subscription | null;
  readonly offers: readonly Offer[];
  /** Why the price of the subscription or of the offers is missing. */
  readonly problem: Problem | undefined;
}

/** The refusals that leave the subscription out of the page: most users have none, and its price may be unavailable. */
const MISSING: readonly string[] = ['no_active_subscription', 'price_unavailable'];

/** Reads the subscription and the offers. */
const readPlan = async (): Promise<Outcome<Plans>> => {
  const [subscription, offered] = await Promise.all([
    outcome(accounts.GET('/api/subscription')),
    readOffers(),
  ]);
  const { data, problem } = subscription;
  if (problem !== undefined && !MISSING.includes(problem.code)) return { problem };
  const noPrice = problem?.code === 'price_unavailable' ? problem : offered.problem;
  return {
    data: {
      subscription: data ?? null,
      // A user with a plan cannot buy another one.
      offers: problem?.code === 'no_active_subscription' ? offered.offers : [],
      problem: noPrice,
    },
  };
};

const CurrentSubscription = ({ subscription }: { readonly subscription: Subscription }) => {
  const { plan } = t();
  const { problem, busy, leave } = usePaymentRedirect();
  const { price, product, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  const end = currentPeriodEnd === null ? null : shownDate(currentPeriodEnd * 1_000);
  return (
    <>
      <h3>
        <UserText text={product.name} />
      </h3>
      <PriceLine price={price} />
      {end === null ? null : <p>{cancelAtPeriodEnd ? plan.ends(end) : plan.renews(end)}</p>}
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      <Button
        kind="plain"
        busy={busy.value !== null && t().account.leaving}
        onPress={() => leave('portal', () => outcome(accounts.GET('/api/billing/portal')))}
      >
        {plan.manage}
      </Button>
    </>
  );
};

const CurrentTier = () => {
  const { plan } = t();
  const tier = user.value?.serviceAccess[0]?.tier ?? 'free';
  return (
    <>
      <h3 class="tier">{tier === 'free' ? plan.free : <UserText text={tier} />}</h3>
      {tier === 'free' ? null : <p>{plan.team}</p>}
    </>
  );
};

export const PlanPage = () => (
  <AccountPage>
    <Load request={readPlan}>
      {({ subscription, offers, problem }, reload) => (
        <>
          <Card title={t().account.plan}>
            {subscription === null ? <CurrentTier /> : <CurrentSubscription subscription={subscription} />}
            {problem === undefined ? null : <Notice tone="warn">{wordsOf(problem)}</Notice>}
          </Card>
          {offers.length === 0 ? null : <PlanOffers offers={offers} reload={reload} />}
        </>
      )}
    </Load>
  </AccountPage>
);
