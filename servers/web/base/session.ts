import { signal } from '@preact/signals';
import type { AccountsSchemas } from '../../client/index.ts';
import type { Outcome, Problem } from '../kit/problem.ts';
import { store } from '../text/browser-storage.ts';
import { accounts, outcome, setOnSessionEnd } from './api.ts';

export type User = AccountsSchemas['Profile'];

/** The signed-in user; null: nobody; undefined: not known yet. */
export const user = signal<User | null | undefined>(undefined);
/** Whether the session ended during work. */
export const wasSignedOut = signal(false);

export const readUser = (): Promise<Outcome<{ readonly user: User }>> =>
  outcome(accounts.GET('/api/auth/me'));

/**
 * Shows the account of the session, and tells the other tabs by the storage whose session it is. If the page shows another
 * account, the page is loaded again, since everything on it belongs to the other account.
 */
export const showUser = (newUser: User, hintKey: string): void => {
  if (user.value && user.value.id !== newUser.id) location.reload();
  user.value = newUser;
  store(hintKey, newUser.id);
};

/** Ends the session. After a problem the session may go on. */
export const endSession = async (): Promise<Problem | undefined> =>
  (await outcome(accounts.POST('/api/auth/logout'))).problem;

/** Calls `forget` when the session has ended. */
export const watchSession = (forget: () => void): void =>
  setOnSessionEnd(() => {
    // Without a user no work was interrupted: the response may answer the first read of the session, or come after a sign-out.
    if (user.value) wasSignedOut.value = true;
    forget();
  });

/** Reads the session again when another tab changed it, or when this page comes out of the back-forward cache. */
export const watchOtherTabs = (hintKey: string, read: () => Promise<unknown>): void => {
  const reread = () => {
    if (user.value) void read();
  };
  addEventListener('storage', ({ key, newValue }) => {
    if (key === hintKey && newValue !== user.value?.id) reread();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reread();
  });
};
