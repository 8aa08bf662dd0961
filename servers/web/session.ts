import { signal } from '@preact/signals';
import type { AccountsSchemas } from '../client/index.ts';
import { accounts, type Outcome, outcome, type Problem, whenRestricted, whenSessionIsOver } from './api.ts';
import { carried } from './carried.ts';
import { tell } from './kit/tell.ts';
import { go } from './router.ts';
import { t } from './text/language.ts';

export type User = AccountsSchemas['Profile'];

/** Who is signed in here; null: nobody; undefined: not known yet. */
export const user = signal<User | null | undefined>(undefined);
/** Whether the session ended while somebody was at work. */
export const wasSignedOut = signal(false);
/** What operators have done to the account: all but its end is shut then. */
export const restricted = signal<'account_banned' | 'account_disabled' | null>(null);

/** What went wrong on the way to the page that is shown. */
export const setback = signal<Problem | undefined>(undefined);

/** Says that there is a session. The session itself is a cookie that no script reads. */
const HINT = 'gatehouse-session';

const hint = (there?: boolean): boolean => {
  try {
    if (there === true) localStorage.setItem(HINT, '1');
    if (there === false) localStorage.removeItem(HINT);
    return localStorage.getItem(HINT) !== null;
  } catch {
    // Without storage only the server knows.
    return true;
  }
};

/** Whether this browser had a session when it was asked last. */
export const mayHaveSession = (): boolean => hint();

const forget = () => {
  hint(false);
  user.value = null;
  restricted.value = null;
};

/** Reads the account of the session. `always`: also if nothing says that there is one. */
export const loadUser = async ({ always = false } = {}): Promise<Outcome<unknown>> => {
  if (!always && !hint()) {
    user.value = null;
    return { data: null };
  }
  const found = await outcome(accounts.GET('/api/auth/me'));
  if (found.data !== undefined) {
    user.value = found.data.user;
    hint(true);
  } else if (found.problem.code === 'invalid_token') forget();
  return found;
};

/** Connects the account elsewhere that led here. */
const connectCarried = async () => {
  const { linkToken } = carried.value;
  carried.value = {};
  if (linkToken === undefined) return;
  const body = { linkToken };
  setback.value = (await outcome(accounts.POST('/api/auth/providers/link/confirm', { body }))).problem;
  if (setback.value === undefined) tell(t().account.connected);
};

/** After a login of any kind: goes to where somebody wanted to go. */
export const arrive = async (): Promise<void> => {
  hint(true);
  wasSignedOut.value = false;
  await connectCarried();
  await loadUser({ always: true });
  go(next(), { replace: true });
};

/** Where the sign-in leads: the page that asked for it, or the account. */
const next = (): string => {
  const parameters = new URLSearchParams(location.search);
  if (parameters.has('return_to')) return `/account/continue?${parameters}`;
  const wanted = parameters.get('next') ?? '';
  return /^\/account(?:\/[a-z/-]*)?$/.test(wanted) ? wanted : '/account';
};

/** Where the server was not reached the session goes on, and so does the page. */
export const signOut = async (to = '/account/sign-in'): Promise<void> => {
  if ((await outcome(accounts.POST('/api/auth/logout'))).problem !== undefined) return;
  forget();
  go(to);
};

/** After the account's end, or that of its sessions. */
export const leaveTo = (to: string): void => {
  forget();
  go(to, { replace: true });
};

const lookAgain = async () => {
  if (user.value === null || user.value === undefined) return;
  const { data } = await outcome(accounts.GET('/api/auth/me'));
  if (data !== undefined) user.value = data.user;
};

/** Watches for an end of the session elsewhere: in another tab, or while this page lay in the browser's memory. */
export const beginSession = (): void => {
  whenSessionIsOver(() => {
    wasSignedOut.value = user.value !== null && user.value !== undefined;
    forget();
  });
  whenRestricted((code) => {
    restricted.value = code === 'account_banned' ? code : 'account_disabled';
  });
  addEventListener('storage', (event) => {
    if (event.key === HINT) void lookAgain();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) void lookAgain();
  });
};
