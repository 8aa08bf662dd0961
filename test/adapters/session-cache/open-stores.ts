import { makeSqlAccountStore } from '../../../adapters/sql/account-store.ts';
import { makeSqlSessionStore } from '../../../adapters/sql/session-store.ts';
import { makeStoreOpener } from '../sqlite/open-store.ts';

/** Accounts, sessions and the source of the session cache, on a fresh embedded store. */
export const openStores = makeStoreOpener((database) => ({
  accounts: makeSqlAccountStore(database),
  sessions: makeSqlSessionStore(database),
  sessionCache: { find: makeSqlSessionStore(database).findWithAccount },
}));

export type Stores = Awaited<ReturnType<typeof openStores>>['store'];

/** An announcer that calls all its listeners at once, and records the announcements. */
export const makeLocalAnnouncer = () => {
  const listeners: ((userId: string | null) => void)[] = [];
  const announced: string[] = [];
  return {
    announced,
    /** Simulates a connection that was lost. */
    mayHaveMissed: () => {
      for (const listener of listeners) listener(null);
    },
    announce: async (userId: string) => {
      announced.push(userId);
      for (const listener of listeners) listener(userId);
    },
    onAnnounced: (listener: (userId: string | null) => void) => {
      listeners.push(listener);
    },
    close: async () => undefined,
  };
};
