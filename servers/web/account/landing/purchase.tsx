import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { mayHaveSession } from '../../auth/arrive-and-sign-out.ts';
import { accounts, outcome } from '../../base/api.ts';
import { FormPage } from '../../base/form-page.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { Notice, Skeleton } from '../../kit/messages.tsx';
import { t } from '../../text/language.ts';

const POLL_INTERVAL_MS = 2_000;
const POLL_TIMEOUT_MS = 30_000;

/** The active plan (null: its name is unknown). `late`: none in time; `unknown`: not signed in. Undefined while it polls. */
type Purchase = { readonly plan: string | null } | 'late' | 'unknown' | undefined;

/** Polls until a plan is active. Returns the function that stops it. */
const watch = (purchase: Signal<Purchase>): (() => void) => {
  const end = Date.now() + POLL_TIMEOUT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  const poll = async () => {
    const { data, problem } = await outcome(accounts.GET('/api/subscription'));
    if (isLeft) return;
    if (data !== undefined) purchase.value = { plan: data.product.name };
    // Only an active plan has a price that can be unavailable.
    else if (problem.code === 'price_unavailable') purchase.value = { plan: null };
    else if (problem.code === 'invalid_token') purchase.value = 'unknown';
    else if (Date.now() < end) timer = setTimeout(poll, POLL_INTERVAL_MS);
    else purchase.value = 'late';
  };
  // An app may have opened the purchase in a browser without a session.
  if (mayHaveSession()) void poll();
  else purchase.value = 'unknown';
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

export const PurchasePage = () => {
  const purchase = useSignal<Purchase>(undefined);
  const { landing } = t();
  useEffect(() => watch(purchase), []);
  const current = purchase.value;
  return (
    <FormPage>
      <div role="status">
        {current === undefined ? <p>{landing.buying}</p> : null}
        {current === 'late' ? <Notice>{landing.late}</Notice> : null}
        {current === 'unknown' ? <p>{landing.bought}</p> : null}
        {typeof current === 'object' ? (
          <Notice tone="good">
            {current.plan === null ? landing.activeUnnamed : landing.active(current.plan)}
          </Notice>
        ) : null}
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
