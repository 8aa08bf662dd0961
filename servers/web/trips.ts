import type { FinishedSignIn } from '../client/index.ts';
import { makeTrips } from '../client/trips.ts';
import { accounts, type Outcome, offline, outcome, type Problem } from './api.ts';

/** A path, so of whatever origin the server has. */
const WAY_BACK = { redirectUri: '/account/return' };
const AFTER = 'gatehouse-after';

const signIn = makeTrips(accounts);

/** Leaves for a provider. What comes after the way back is kept in the tab. */
const leave = (after: string, url: string): void => {
  sessionStorage.setItem(AFTER, after);
  location.assign(url);
};

/** Where the way goes on after a trip: what `leave` was given. */
export const afterTrip = (): string => {
  const after = sessionStorage.getItem(AFTER) ?? '';
  sessionStorage.removeItem(AFTER);
  return after;
};

/** Leaves for a login. `after` is the query of the sign-in page. */
export const signInAt = async (provider: string, after: string): Promise<Problem | undefined> => {
  try {
    leave(after, await signIn.begin(provider, WAY_BACK));
    return undefined;
  } catch {
    return offline;
  }
};

const follow = async (asked: Promise<Outcome<{ readonly url: string }>>): Promise<Problem | undefined> => {
  const { data, problem } = await asked;
  if (data !== undefined) leave(location.pathname, data.url);
  return problem;
};

/** Leaves to connect an account that somebody has elsewhere. */
export const connect = (provider: string): Promise<Problem | undefined> =>
  follow(outcome(signIn.link(provider, WAY_BACK)));

/** Leaves for a fresh proof. */
export const proveAt = (provider: string): Promise<Problem | undefined> =>
  follow(outcome(signIn.reauthenticate(provider, WAY_BACK)));

/** What came of the trip that came back to this address; undefined if none did. */
export const endTrip = async (): Promise<FinishedSignIn | Problem | undefined> => {
  try {
    return await signIn.finish(location);
  } catch {
    return offline;
  }
};
