import { accounts, outcome } from '../base/api.ts';
import { makeProblem, type Outcome, type Problem } from '../kit/problem.ts';
import { readStored } from '../text/browser-storage.ts';
import { t, visitSite } from '../text/language.ts';
import { flows, storeDestination } from './provider-callback.ts';

/** A path, which works at any origin of the server. */
const REDIRECT = { redirectUri: '/account/return' };

/** `destination`: for a sign-in the query of the sign-in page; for users who are signed in, the path to come back to. */
const leave = (destination: string, url: string): void => {
  storeDestination(destination);
  visitSite(url);
};

/** Begins a sign-in. `query`: that of the sign-in page, which says where the person goes afterwards. */
export const signInAt = async (provider: string, query: string): Promise<Problem | undefined> => {
  const { data, problem: refusal } = await outcome(accounts.GET('/api/auth/providers'));
  if (refusal !== undefined) return refusal;
  const listed = data.providers.find(({ id }) => id === provider);
  if (listed === undefined) return makeProblem('provider_not_found');
  try {
    leave(query, await flows.beginAt(listed.beginUrl, REDIRECT));
    return undefined;
  } catch {
    // A flow needs storage, which is blocked together with cookies, and cryptography, which is missing over plain http.
    const isStorageBlocked = readStored('') === undefined;
    return isStorageBlocked
      ? makeProblem('cookies_blocked', t().signIn.cookiesBlocked)
      : makeProblem('unexpected');
  }
};

const leaveUnlessRefused = async (
  response: Promise<Outcome<{ readonly url: string }>>,
): Promise<Problem | undefined> => {
  const { data, problem: refusal } = await response;
  if (data !== undefined) leave(location.pathname, data.url);
  return refusal;
};

/** Begins to link an identity. */
export const connect = (provider: string): Promise<Problem | undefined> =>
  leaveUnlessRefused(outcome(flows.link(provider, REDIRECT)));

/** Begins a fresh proof. */
export const proveAt = (provider: string): Promise<Problem | undefined> =>
  leaveUnlessRefused(outcome(flows.reauthenticate(provider, REDIRECT)));
