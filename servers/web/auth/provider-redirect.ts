import type { FinishedSignIn, FinishOptions } from '../../client/index.ts';
import { makeFlows } from '../../client/provider-flow.ts';
import { accounts, outcome } from '../base/api.ts';
import { type Outcome, offline, type Problem } from '../kit/problem.ts';

/** A path, which works at any origin of the server. */
const REDIRECT = { redirectUri: '/account/return' };
const DESTINATION = 'gatehouse-after';

const signIn = makeFlows(accounts);

/** Navigates to a provider. The tab stores the destination after the callback. */
const leave = (destination: string, url: string): void => {
  sessionStorage.setItem(DESTINATION, destination);
  location.assign(url);
};

/** Removes and returns the destination that `leave` stored. */
export const takeDestination = (): string => {
  const destination = sessionStorage.getItem(DESTINATION) ?? '';
  sessionStorage.removeItem(DESTINATION);
  return destination;
};

/** Begins a sign-in. `destination` is the query of the sign-in page. */
export const signInAt = async (provider: string, destination: string): Promise<Problem | undefined> => {
  try {
    leave(destination, await signIn.begin(provider, REDIRECT));
    return undefined;
  } catch {
    return offline;
  }
};

const follow = async (response: Promise<Outcome<{ readonly url: string }>>): Promise<Problem | undefined> => {
  const { data, problem } = await response;
  if (data !== undefined) leave(location.pathname, data.url);
  return problem;
};

/** Begins to link an identity. */
export const connect = (provider: string): Promise<Problem | undefined> =>
  follow(outcome(signIn.link(provider, REDIRECT)));

/** Begins a fresh proof. */
export const proveAt = (provider: string): Promise<Problem | undefined> =>
  follow(outcome(signIn.reauthenticate(provider, REDIRECT)));

/** Completes the flow that came back to this address; undefined without a callback. */
export const finishFlow = async (options: FinishOptions): Promise<FinishedSignIn | Problem | undefined> => {
  try {
    return await signIn.finish(location, options);
  } catch {
    return offline;
  }
};
