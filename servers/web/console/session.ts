import { signal } from '@preact/signals';
import type { Outcome, Problem } from '../api.ts';
import { go, path } from '../router.ts';
import { followAccount, type Language } from '../text/language.ts';
import { call, whenSessionIsOver } from './api.ts';
import { placeOf } from './paths.ts';
import type { Facts, Role } from './shapes.ts';

interface Profile {
  readonly id: string;
  readonly email: string;
  readonly language: Language;
  readonly serviceAccess: readonly { readonly accessFlags: Facts }[];
}

export interface Self {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
}

/** The signed-in operator; null: nobody; undefined: not known yet. */
export const self = signal<Self | null | undefined>(undefined);
/** Whether the session ended during work. */
export const wasSignedOut = signal(false);

const roleOf = ({ serviceAccess }: Profile): Role =>
  serviceAccess.some(({ accessFlags }) => accessFlags.operatorTeamRole === 'founder') ? 'founder' : 'dev';

/** Codes after which only the sign-in page is shown, which explains them. */
const SIGNED_OUT_CODES = [
  ...['invalid_token', 'cookie_replaced', 'operators_only', 'two_factor_required'],
  ...['account_banned', 'account_disabled'],
];

const forgetSelf = (): void => {
  self.value = null;
  void followAccount(null);
};

/** Reads who is signed in. */
export const loadSelf = async (): Promise<Outcome<unknown>> => {
  const result = await call<{ readonly user: Profile }>('GET', '/api/auth/me');
  if (result.data !== undefined) {
    const { user } = result.data;
    await followAccount(user.language);
    self.value = { id: user.id, email: user.email, role: roleOf(user) };
    wasSignedOut.value = false;
  } else if (SIGNED_OUT_CODES.includes(result.problem.code)) forgetSelf();
  return result;
};

/** The page that the sign-in leads to. */
const destination = (): string => {
  const requested = new URLSearchParams(location.search).get('next') ?? '/';
  const { origin, pathname, search } = new URL(requested, location.origin);
  const isOurs = origin === location.origin && placeOf(pathname) !== undefined && pathname !== '/sign-in';
  return isOurs ? pathname + search : '/';
};

/** Goes on after a sign-in. Returns the problem of loading the operator. */
export const arrive = async (): Promise<Problem | undefined> => {
  const { problem } = await loadSelf();
  if (problem === undefined) go(destination(), { replace: true });
  return problem;
};

/** Redirects to sign-in and back. */
export const askToSignIn = (): void => {
  if (path.value === '/sign-in') return;
  const current = location.pathname + location.search;
  go(current === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(current)}`, { replace: true });
};

/** Stays on the page if the server was unreachable, since the session goes on. */
export const signOut = async (): Promise<void> => {
  if ((await call('POST', '/api/auth/logout')).problem !== undefined) return;
  forgetSelf();
  wasSignedOut.value = false;
  go('/sign-in');
};

export const beginSession = (): void => {
  whenSessionIsOver(() => {
    if (self.value) wasSignedOut.value = true;
    forgetSelf();
  });
};
