import type { FinishedSignIn, FinishOptions } from '../../client/index.ts';
import { makeFlows } from '../../client/provider-flow.ts';
import { accounts } from '../base/api.ts';
import { offline, type Problem } from '../kit/problem.ts';

const DESTINATION = 'gatehouse-after';

export const flows = /*@__PURE__*/ makeFlows(accounts);

/** Stores where to go on after the callback: the query of the sign-in page, or the path of the page that began the flow. */
export const storeDestination = (destination: string): void =>
  sessionStorage.setItem(DESTINATION, destination);

export const takeDestination = (): string => {
  const destination = sessionStorage.getItem(DESTINATION) ?? '';
  sessionStorage.removeItem(DESTINATION);
  return destination;
};

/** Completes the flow that came back to this address; undefined without a callback. */
export const finishFlow = async (options: FinishOptions): Promise<FinishedSignIn | Problem | undefined> => {
  try {
    return await flows.finish(location, options);
  } catch {
    // Refusals are returned; the client rejects only if the server did not answer.
    return offline;
  }
};
