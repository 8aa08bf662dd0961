import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accounts, outcome } from '../api.ts';
import { LinkButton } from '../kit/button.tsx';
import { Notice, Skeleton } from '../kit/parts.tsx';
import { mayHaveSession } from '../session.ts';
import { FormPage } from '../start/shell.tsx';
import { t } from '../text/language.ts';

const EVERY = 2_000;
const AT_MOST = 30_000;

/** What is known of the purchase: the plan's name, or how the waiting ended. */
type Known = { readonly plan: string } | 'late' | 'unknown' | undefined;

/** Asks whether the purchase has arrived, until it has. */
const watch = (tell: (known: Known) => void): (() => void) => {
  const end = Date.now() + AT_MOST;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const look = async () => {
    const { data, problem } = await outcome(accounts.GET('/api/subscription'));
    if (isLeft) return;
    if (data !== undefined) tell({ plan: data.product.name });
    else if (problem.code === 'invalid_token') tell('unknown');
    else if (Date.now() < end) timer = setTimeout(look, EVERY);
    else tell('late');
  };
  // The purchase may be of an app: this browser then has no session here.
  if (mayHaveSession()) void look();
  else tell('unknown');
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
};

const ToPlan = () => (
  <LinkButton to="/account/plan" whole>
    {t().ends.toPlan}
  </LinkButton>
);

const Success = () => {
  const known = useSignal<Known>(undefined);
  const { ends } = t();
  useEffect(
    () =>
      watch((found) => {
        known.value = found;
      }),
    [],
  );
  const found = known.value;
  return (
    <>
      <div role="status">
        {found === undefined ? <p>{ends.buying}</p> : null}
        {found === 'late' ? <Notice>{ends.late}</Notice> : null}
        {found === 'unknown' ? <p>{ends.bought}</p> : null}
        {typeof found === 'object' ? <Notice tone="good">{ends.active(found.plan)}</Notice> : null}
      </div>
      {found === undefined ? <Skeleton /> : <ToPlan />}
    </>
  );
};

/** Where the payment provider sends buyers back. */
export const SuccessPage = () => (
  <FormPage>
    <Success />
  </FormPage>
);

/** Where the payment provider's portal leads back. */
export const BackPage = () => (
  <FormPage>
    <p>{t().ends.back}</p>
    <ToPlan />
  </FormPage>
);
