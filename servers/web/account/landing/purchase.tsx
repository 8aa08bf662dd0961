import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { mayHaveSession } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { FormPage } from '../../base/form-page.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { Notice, Skeleton } from '../../kit/messages.tsx';
import { t } from '../../text/language.ts';

const EVERY = 2_000;
const AT_MOST = 30_000;

/** The state of the purchase: the plan's name, or how the waiting ended. */
type Purchase = { readonly plan: string } | 'late' | 'unknown' | undefined;

/** Polls until the purchase has arrived. */
const watch = (onChange: (purchase: Purchase) => void): (() => void) => {
  const end = Date.now() + AT_MOST;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const poll = async () => {
    const { data, problem } = await outcome(accounts.GET('/api/subscription'));
    if (isLeft) return;
    if (data !== undefined) onChange({ plan: data.product.name });
    else if (problem.code === 'invalid_token') onChange('unknown');
    else if (Date.now() < end) timer = setTimeout(poll, EVERY);
    else onChange('late');
  };
  // The purchase may come from an app, so this browser may have no session.
  if (mayHaveSession()) void poll();
  else onChange('unknown');
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
};

const ToPlan = () => (
  <LinkButton to="/account/plan" fullWidth>
    {t().account.plan}
  </LinkButton>
);

/** The page after a purchase at the payment provider. */
export const PurchasePage = () => {
  const purchase = useSignal<Purchase>(undefined);
  const { landing } = t();
  useEffect(
    () =>
      watch((current) => {
        purchase.value = current;
      }),
    [],
  );
  const current = purchase.value;
  return (
    <FormPage>
      <div role="status">
        {current === undefined ? <p>{landing.buying}</p> : null}
        {current === 'late' ? <Notice>{landing.late}</Notice> : null}
        {current === 'unknown' ? <p>{landing.bought}</p> : null}
        {typeof current === 'object' ? <Notice tone="good">{landing.active(current.plan)}</Notice> : null}
      </div>
      {current === undefined ? <Skeleton /> : <ToPlan />}
    </FormPage>
  );
};

/** The page after the payment provider's portal. */
export const PortalReturnPage = () => (
  <FormPage>
    <p>{t().landing.back}</p>
    <ToPlan />
  </FormPage>
);
