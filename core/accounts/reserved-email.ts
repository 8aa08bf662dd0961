import { openWindows } from './account.ts';
import type { Deps } from './deps.ts';

/**
 * Whether an account whose deletion waits can return to this email. While it can, nobody else may verify the email.
 * See decision 0092.
 */
export const isReservedEmail = async (
  { accounts, clock }: Pick<Deps, 'accounts' | 'clock'>,
  email: string,
): Promise<boolean> => {
  const formerOwners = await accounts.listByFormerEmail(email);
  return formerOwners.some(
    (account) =>
      account.waitingDeletion !== null &&
      openWindows(account, clock.now()).some((former) => former.email === email),
  );
};
