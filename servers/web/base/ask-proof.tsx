import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Outcome } from '../kit/problem.ts';
import { type ProofRequest, proofRequest } from './api.ts';

/** The module of the dialog, which is loaded when a proof is needed. */
interface DialogModule {
  readonly Ask: ComponentType<ProofRequest>;
}

/** Asks for a fresh proof when a call needs one. Leaving the page cancels the request. */
export const AskProof = ({ load }: { readonly load: () => Promise<Outcome<DialogModule>> }) => {
  const dialogModule = useSignal<DialogModule | undefined>(undefined);
  useSignalEffect(() => {
    const show = async (request: ProofRequest) => {
      dialogModule.value = (await load()).data;
      if (dialogModule.value === undefined) request.answer(false);
    };
    if (proofRequest.value !== null) void show(proofRequest.value);
  });
  useEffect(() => () => proofRequest.peek()?.answer(false), []);
  const request = proofRequest.value;
  const Ask = dialogModule.value?.Ask;
  return request === null || Ask === undefined ? null : <Ask {...request} />;
};
