import { CoreError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { type Account, exists } from '../account.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail } from '../email.ts';
import { accountNotFound } from '../errors.ts';

/** Finds an account by its id, else by its email. Throws `missing` (`user_not_found`), `invalid` (`invalid_email`). */
export const findUser = async (
  { accounts, domains }: Pick<Deps, 'accounts' | 'domains'>,
  user: string,
): Promise<Account> => {
  const account = isId(user)
    ? await accounts.find(user)
    : await accounts.findByEmail(canonicalEmail(domains, user));
  if (!exists(account)) throw accountNotFound();
  return account;
};

/** Whether the error of `findUser` means that there is no such user. Its kind is `invalid` for a text that is no email. */
export const isUserNotFound = (error: unknown): boolean =>
  error instanceof CoreError && ['missing', 'invalid'].includes(error.kind);

/** Finds emails by user id. Actors that are no users, such as the command line, deleted users and nulls are left out. */
export const findEmails = async (
  { accounts }: Pick<Deps, 'accounts'>,
  names: readonly (string | null)[],
): Promise<Readonly<Record<string, string>>> => {
  const ids = [...new Set(names)].filter((name) => name !== null && isId(name)) as readonly string[];
  const users = await Promise.all(ids.map((id) => accounts.find(id)));
  return Object.fromEntries(
    users.flatMap((account) => (exists(account) ? [[account.id, account.email]] : [])),
  );
};
