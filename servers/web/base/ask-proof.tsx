import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Outcome } from '../kit/problem.ts';
import { type ProofRequest, proofRequest } from './api.ts';

interface Dialog {
  readonly Ask: ComponentType<ProofRequest>;
}

/** Asks for a fresh proof when a call needs one. Leaving the page cancels the request. */
export const AskProof = ({ load }: { readonly load: () => Promise<Outcome<Dialog>> }) => {
  const dialog = useSignal<Dialog | undefined>(undefined);
  useSignalEffect(() => {
    const show = async (request: ProofRequest) => {
      dialog.value = (await load()).data;
      if (dialog.value === undefined) request.answer(false);
    };
    if (proofRequest.value !== null) void show(proofRequest.value);
  });
  useEffect(() => () => proofRequest.peek()?.answer(false), []);
  const request = proofRequest.value;
  const Ask = dialog.value?.Ask;
  return request === null || Ask === undefined ? null : <Ask {...request} />;
};
