import { useSignal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import { accounts, type Outcome, outcome, type Problem, wordsOf } from '../api.ts';
import { Button } from '../kit/button.tsx';
import { link } from '../kit/link.ts';
import { Load } from '../kit/load.tsx';
import { Card, Notice } from '../kit/parts.tsx';
import { user } from '../session.ts';
import { shownDate, shownMoney } from '../text/language.ts';
import { AccountPage } from './account-page.tsx';
import { a } from './texts.ts';

type Subscription = AccountsSchemas['Subscription'];

/** What is for sale, with the names that the sandbox and Polar give them. */
const PLANS = { 'pro-lite': 'Pro Lite', pro: 'Pro' } as const;
type Plan = keyof typeof PLANS;
const CYCLES = ['monthly', 'yearly'] as const;

const readSubscription = async (): Promise<
  Outcome<{ readonly own: Subscription | null; readonly problem?: Problem }>
> => {
  const found = await outcome(accounts.GET('/api/subscription'));
  if (found.data !== undefined) return { data: { own: found.data } };
  if (found.problem.code === 'no_active_subscription') return { data: { own: null } };
  if (found.problem.code === 'price_unavailable') return { data: { own: null, problem: found.problem } };
  return found;
};

/** Goes on at the payment provider. */
const leaveFor = ({ url }: { readonly url: string }) => location.assign(link(url));

const useLeaving = () => {
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal<string | null>(null);
  const leave = async (name: string, ask: () => Promise<Outcome<{ readonly url: string }>>) => {
    busy.value = name;
    const found = await ask();
    problem.value = found.problem;
    if (found.data === undefined) busy.value = null;
    else leaveFor(found.data);
  };
  return { problem, busy, leave };
};

const Own = ({ subscription }: { readonly subscription: Subscription }) => {
  const { plan } = a();
  const { problem, busy, leave } = useLeaving();
  const { price, product, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  const end = currentPeriodEnd === null ? null : shownDate(currentPeriodEnd * 1_000);
  return (
    <>
      <h3>{product.name}</h3>
      <p class="price">
        {shownMoney(price.amount, price.currency)} / {price.interval === 'year' ? plan.year : plan.month}
      </p>
      {price.exchange.stale ? (
        <p class="muted small">{plan.stale(shownDate(price.exchange.effectiveDate))}</p>
      ) : null}
      {end === null ? null : <p>{cancelAtPeriodEnd ? plan.ends(end) : plan.renews(end)}</p>}
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      <Button
        kind="plain"
        busy={busy.value !== null && plan.leaving}
        onPress={() => leave('portal', () => outcome(accounts.GET('/api/billing/portal')))}
      >
        {plan.manage}
      </Button>
    </>
  );
};

const Choice = ({ again }: { readonly again: () => Promise<void> }) => {
  const cycle = useSignal<(typeof CYCLES)[number]>('monthly');
  const { problem, busy, leave } = useLeaving();
  const { plan } = a();
  const buy = async (chosen: Plan) => {
    const query = { plan: chosen, billingCycle: cycle.value };
    await leave(chosen, () => outcome(accounts.GET('/api/billing/checkout', { params: { query } })));
    if (problem.value?.code === 'already_subscribed') await again();
  };
  return (
    <Card title={plan.buy}>
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      <fieldset class="choices">
        <legend class="visually-hidden">{plan.buy}</legend>
        {CYCLES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="cycle"
              checked={cycle.value === one}
              onChange={() => {
                cycle.value = one;
              }}
            />
            {plan[one]}
          </label>
        ))}
      </fieldset>
      <div class="row">
        {Object.entries(PLANS).map(([id, name]) => (
          <Button
            key={id}
            kind="plain"
            busy={busy.value === id && plan.leaving}
            onPress={() => buy(id as Plan)}
          >
            {plan.choose(name)}
          </Button>
        ))}
      </div>
    </Card>
  );
};

const tierInEffect = () => user.value?.serviceAccess[0]?.tier ?? 'free';

export const PlanPage = () => (
  <AccountPage>
    {() => (
      <Load from={readSubscription}>
        {({ own, problem }, again) => (
          <>
            <Card title={a().plan.current}>
              {own === null ? (
                <p>
                  {tierInEffect() === 'free'
                    ? a().plan.free
                    : `${a().plan.tier(tierInEffect())}. ${a().plan.team}.`}
                </p>
              ) : (
                <Own subscription={own} />
              )}
              {problem === undefined ? null : <Notice tone="warn">{wordsOf(problem)}</Notice>}
            </Card>
            {own === null ? <Choice again={again} /> : null}
          </>
        )}
      </Load>
    )}
  </AccountPage>
);
