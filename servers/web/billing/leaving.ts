import { useSignal } from '@preact/signals';
import type { Outcome, Problem } from '../api.ts';
import { link } from '../kit/link.ts';

/** Goes on at the payment provider, at the address that it is asked for. */
export const useLeaving = () => {
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal<string | null>(null);
  const leave = async (name: string, ask: () => Promise<Outcome<{ readonly url: string }>>) => {
    busy.value = name;
    const found = await ask();
    problem.value = found.problem;
    if (found.data === undefined) busy.value = null;
    else location.assign(link(found.data.url));
  };
  return { problem, busy, leave };
};
