import { accounts, outcome } from '../../base/api.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/messages.tsx';
import { wordsOf } from '../../kit/problem.ts';
import { t } from '../../text/language.ts';
import { usePaymentRedirect } from './payment-redirect.ts';

/** The way to the payment provider's portal. */
export const ManagePlan = () => {
  const { problem, busy, leave } = usePaymentRedirect();
  return (
    <>
      {problem.value === undefined ? null : <Notice tone="danger">{wordsOf(problem.value)}</Notice>}
      <Button
        kind="plain"
        busy={busy.value !== null && t().account.leaving}
        onPress={() => leave('portal', () => outcome(accounts.GET('/api/billing/portal')))}
      >
        {t().plan.manage}
      </Button>
    </>
  );
};
