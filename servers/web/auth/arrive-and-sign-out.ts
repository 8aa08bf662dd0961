import { signal } from '@preact/signals';
import { accounts, outcome, restricted } from '../base/api.ts';
import { go, mayLeave, path, query } from '../base/router.ts';
import {
  endSession,
  readUser,
  showUser,
  type User,
  user,
  watchOtherTabs,
  watchSession,
} from '../base/session.ts';
import { makeProblem, type Outcome, type Problem } from '../kit/problem.ts';
import { showToast } from '../kit/toast.ts';
import { readStored, store } from '../text/browser-storage.ts';
import { followAccount, t } from '../text/language.ts';
import { passedValues } from './passed-to-next-page.ts';

/** The problem of the previous step, for the page that is shown. */
export const setback = signal<Problem | undefined>(undefined);

/** The storage key of the signed-in user's id, or `1` until it is read, since no script can read the session's cookie. */
const HINT = 'gatehouse-session';

/** False if this browser stores no hint of a session. True without storage (`undefined`): then only the server knows. */
export const mayHaveSession = (): boolean => readStored(HINT) !== null;

const forgetSession = () => {
  store(HINT, null);
  user.value = null;
  restricted.value = null;
  void followAccount(null);
};

/** Counts the sign-ins: a response to a request sent before the latest sign-in is about an older session. */
let signIns = 0;

/**
 * Reads the account of the session; null where nobody is known to be signed in, or where somebody signed in meanwhile. `always`:
 * asks the server even if this browser has no hint of a session.
 */
export const loadUser = async ({ always = false } = {}): Promise<Outcome<User | null>> => {
  if (!always && !mayHaveSession()) {
    user.value = null;
    return { data: null };
  }
  const signInsBefore = signIns;
  const isOutdated = () => signInsBefore !== signIns;
  const { data, problem: refusal } = await readUser();
  if (isOutdated()) return { data: null };
  if (data === undefined) {
    if (refusal.code === 'invalid_token') forgetSession();
    return { problem: refusal };
  }
  await followAccount(data.user.language);
  if (isOutdated()) return { data: null };
  showUser(data.user, HINT);
  return { data: data.user };
};

/** Links the identity whose sign-in was refused with `account_exists`: the user has signed in by another method instead. */
const linkPassedIdentity = async () => {
  const { linkToken } = passedValues.value;
  passedValues.value = {};
  if (linkToken === undefined) return;
  const body = { linkToken };
  setback.value = (await outcome(accounts.POST('/api/auth/providers/link/confirm', { body }))).problem;
  if (setback.value === undefined) showToast(t().account.connected);
};

/** Where the sign-in leads: the page that asked for it, or the account. Never to another site: `next` is from the address. */
const destination = (): string => {
  const parameters = query();
  if (parameters.has('return_to')) return `/account/continue?${parameters}`;
  const requested = parameters.get('next') ?? '';
  // The sign-in form would stay if the destination were the current page.
  return Object.hasOwn(t().titles, requested) && requested !== path.value ? requested : '/account';
};

/** Continues to the destination after a sign-in of any kind. Returns a problem if the browser did not keep the session. */
export const arrive = async (): Promise<Problem | undefined> => {
  signIns += 1;
  // Read before the requests: the user may open another page during them.
  const to = destination();
  // Makes `showUser` skip the reload after a change of user: this page shows nothing of the previous user.
  user.value = undefined;
  store(HINT, '1');
  await linkPassedIdentity();
  const { problem: refusal } = await loadUser({ always: true });
  if (refusal?.code === 'invalid_token') return makeProblem('cookies_blocked', t().signIn.cookiesBlocked);
  go(to, { replace: true });
  return undefined;
};

/** Ends the session and goes to another page. Stays if the user wants to, or if the server did not confirm the end. */
export const signOut = async (to = '/account/sign-in'): Promise<Problem | undefined> => {
  if (!(await mayLeave())) return undefined;
  const refusal = await endSession();
  if (refusal !== undefined) return refusal;
  forgetSession();
  go(to, { isSettled: true });
  return undefined;
};

/** Leaves after the account or its sessions have ended, without a question about unsaved input (`isSettled`). */
export const leaveTo = (to: string): void => {
  forgetSession();
  go(to, { replace: true, isSettled: true });
};

/** Notices when the session ends or becomes another user's: by a response, in another tab, or in the back-forward cache. */
export const watchSessionEnd = (): void => {
  watchSession(forgetSession);
  watchOtherTabs(HINT, () => loadUser({ always: true }));
};
