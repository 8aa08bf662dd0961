import { signal } from '@preact/signals';
import type { Outcome, Problem } from '../api.ts';
import { go, path } from '../router.ts';
import { call, whenSessionIsOver } from './api.ts';
import { placeOf } from './paths.ts';
import type { Facts, Role } from './shapes.ts';

interface Profile {
  readonly id: string;
  readonly email: string;
  readonly serviceAccess: readonly { readonly accessFlags: Facts }[];
}

export interface Self {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
}

/** The operator who is signed in; null: nobody; undefined: not known yet. */
export const self = signal<Self | null | undefined>(undefined);
/** Whether a session ended while somebody was at work. */
export const isOver = signal(false);

const roleOf = ({ serviceAccess }: Profile): Role =>
  serviceAccess.some(({ accessFlags }) => accessFlags.operatorTeamRole === 'founder') ? 'founder' : 'dev';

/** Of whoever may not work here any more there is only the sign-in, too: it says why. */
const NOBODY = [
  ...['invalid_token', 'cookie_replaced', 'operators_only', 'two_factor_required'],
  ...['account_banned', 'account_disabled'],
];

/** Reads who is signed in. */
export const loadSelf = async (): Promise<Outcome<unknown>> => {
  const found = await call<{ readonly user: Profile }>('GET', '/api/auth/me');
  if (found.data !== undefined) {
    const { user } = found.data;
    self.value = { id: user.id, email: user.email, role: roleOf(user) };
    isOver.value = false;
  } else if (NOBODY.includes(found.problem.code)) self.value = null;
  return found;
};

/** The page that the sign-in leads to. */
const next = (): string => {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/';
  const { origin, pathname, search } = new URL(wanted, location.origin);
  const isOurs = origin === location.origin && placeOf(pathname) !== undefined && pathname !== '/sign-in';
  return isOurs ? pathname + search : '/';
};

/** After a sign-in: goes on. Gives the problem of finding out who it was. */
export const arrive = async (): Promise<Problem | undefined> => {
  const { problem } = await loadSelf();
  if (problem === undefined) go(next(), { replace: true });
  return problem;
};

/** Goes to the sign-in, which comes back here. */
export const askToSignIn = (): void => {
  if (path.value === '/sign-in') return;
  const here = location.pathname + location.search;
  go(here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`, { replace: true });
};

/** Where the server was not reached the session goes on, and so does the page. */
export const signOut = async (): Promise<void> => {
  if ((await call('POST', '/api/auth/logout')).problem !== undefined) return;
  self.value = null;
  isOver.value = false;
  go('/sign-in');
};

export const beginSession = (): void => {
  whenSessionIsOver(() => {
    isOver.value = Boolean(self.value);
    self.value = null;
  });
};
