import { outcome } from '../base/api.ts';
import { type Outcome, offline, type Problem } from '../kit/problem.ts';
import { visitSite } from '../text/language.ts';
import { flows, storeDestination } from './provider-callback.ts';

/** A path, which works at any origin of the server. */
const REDIRECT = { redirectUri: '/account/return' };

/** Navigates to a provider. The tab stores the destination after the callback. */
const leave = (destination: string, url: string): void => {
  storeDestination(destination);
  visitSite(url);
};

/** Begins a sign-in. `destination` is the query of the sign-in page. */
export const signInAt = async (provider: string, destination: string): Promise<Problem | undefined> => {
  try {
    leave(destination, await flows.begin(provider, REDIRECT));
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
  follow(outcome(flows.link(provider, REDIRECT)));

/** Begins a fresh proof. */
export const proveAt = (provider: string): Promise<Problem | undefined> =>
  follow(outcome(flows.reauthenticate(provider, REDIRECT)));
