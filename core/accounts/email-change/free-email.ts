import type { Account } from '../account.ts';
import type { AccountStore } from '../ports.ts';

/**
 * Frees an email for an account that has proved to own it: removes an unverified registration with this email. False if
 * a verified account has the email.
 */
export const freeEmail = async (
  accounts: Pick<AccountStore, 'findByEmail' | 'remove'>,
  { id }: Account,
  email: string,
): Promise<boolean> => {
  const holder = await accounts.findByEmail(email);
  if (holder === undefined || holder.id === id) return true;
  if (holder.verified) return false;
  // If the registration changes meanwhile, the following write fails, and the caller retries.
  await accounts.remove(holder);
  return true;
};
