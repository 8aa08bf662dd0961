import type { Account } from '../account.ts';
import type { Caller } from '../needs.ts';
import type { AccountStore } from '../ports.ts';

/**
 * The account behind an email where one request asks for it twice: first to find the allowance that it counts in, then
 * to log in. The second time it is what was read a moment ago; the login's own write finds out what changed since.
 */
export const makeReadOnce = ({ accounts }: { readonly accounts: AccountStore }) => {
  // By the request's own object, so that it goes with the request whatever becomes of that.
  const read = new WeakMap<Caller, { readonly email: string; readonly account: Account | undefined }>();
  return {
    first: async (email: string, caller: Caller): Promise<Account | undefined> => {
      const account = await accounts.findByEmail(email);
      read.set(caller, { email, account });
      return account;
    },
    again: async (email: string, caller: Caller): Promise<Account | undefined> => {
      const known = read.get(caller);
      read.delete(caller);
      return known?.email === email ? known.account : accounts.findByEmail(email);
    },
  };
};

export type ReadOnce = ReturnType<typeof makeReadOnce>;
