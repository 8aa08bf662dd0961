import { useSignal } from '@preact/signals';
import { link } from '../../kit/link.ts';
import type { Outcome, Problem } from '../../kit/problem.ts';
import { visitSite } from '../../text/language.ts';

/** `leave` requests an address of the payment provider and navigates there. `busy` has the `name` of the pressed button. */
export const usePaymentRedirect = () => {
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal<string | null>(null);
  const leave = async (name: string, requestUrl: () => Promise<Outcome<{ readonly url: string }>>) => {
    busy.value = name;
    const result = await requestUrl();
    problem.value = result.problem;
    if (result.data === undefined) busy.value = null;
    else visitSite(link(result.data.url));
  };
  return { problem, busy, leave };
};
