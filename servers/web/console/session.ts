import { computed } from '@preact/signals';
import { go, path, query } from '../base/router.ts';
import {
  endSession,
  readUser,
  showUser,
  user,
  wasSignedOut,
  watchOtherTabs,
  watchSession,
} from '../base/session.ts';
import { makeProblem, type Outcome, type Problem } from '../kit/problem.ts';
import { store } from '../text/browser-storage.ts';
import { followAccount } from '../text/language.ts';
import { placeOf } from './paths.ts';
import type { Role } from './response-types.ts';
import { c } from './text.ts';

/** The signed-in operator; null: nobody; undefined: not known yet. */
export const self = computed(() => {
  if (!user.value) return user.value;
  const { id, email, serviceAccess } = user.value;
  const isFounder = serviceAccess.some(({ accessFlags }) => accessFlags.operatorTeamRole === 'founder');
  // Only operators sign in to the console, so all others are developers.
  const role: Role = isFounder ? 'founder' : 'dev';
  return { id, email, role };
});

/** After these refusals nobody counts as signed in. If the cause lasts, the refusal of the next sign-in explains the cause. */
const SIGNED_OUT_CODES = [
  'invalid_token',
  'cookie_replaced',
  'operators_only',
  'two_factor_required',
  'account_banned',
  'account_disabled',
];

/** The storage key of the operator's id, by which the tabs of the console notice a change of the session. */
const HINT = 'gatehouse-console-session';

const forgetSelf = (): void => {
  store(HINT, null);
  user.value = null;
  void followAccount(null);
};

export const loadSelf = async (): Promise<Outcome<unknown>> => {
  const result = await readUser();
  if (result.data !== undefined) {
    await followAccount(result.data.user.language);
    showUser(result.data.user, HINT);
    wasSignedOut.value = false;
  } else if (SIGNED_OUT_CODES.includes(result.problem.code)) forgetSelf();
  return result;
};

/** The page that the sign-in leads to. */
const destination = (): string => {
  const requested = query().get('next') ?? '/';
  const [pathname = ''] = requested.split(/[?#]/, 1);
  return placeOf(pathname) !== undefined && pathname !== '/sign-in' ? requested : '/';
};

/** Goes on after a sign-in. Returns the problem of loading the operator. */
export const arrive = async (): Promise<Problem | undefined> => {
  const { problem: refusal } = await loadSelf();
  if (refusal?.code === 'invalid_token') return makeProblem('cookies_blocked', c().signIn.cookiesBlocked);
  if (refusal === undefined) go(destination(), { replace: true });
  return refusal;
};

/** Redirects to the sign-in, which leads back to this page. */
export const askToSignIn = (): void => {
  if (path.value === '/sign-in') return;
  const current = location.pathname + location.search;
  go(current === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(current)}`, { replace: true });
};

/** Ends the session and goes to the sign-in. Stays if the server did not confirm the end. */
export const signOut = async (): Promise<Problem | undefined> => {
  const refusal = await endSession();
  if (refusal !== undefined) return refusal;
  forgetSelf();
  // The operator ended the session on purpose: no dialog says that it has ended.
  wasSignedOut.value = false;
  go('/sign-in');
  return undefined;
};

export const watchSessionEnd = (): void => {
  watchSession(forgetSelf);
  watchOtherTabs(HINT, loadSelf);
};
