import type { Account } from '../account.ts';
import { canonicalEmail } from '../email.ts';
import { accountKey, accountKeyAt, knownAddress } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';

/**
 * Counts a call in the allowance of an account, under this key. What it throws ends the call. An embedding app that
 * counts nothing leaves it out.
 */
export type Admit = (allowanceKey: string) => Promise<void>;

type Needed = Pick<Kit, 'accounts' | 'clock' | 'digest' | 'domains' | 'policy'>;

/** The key of an account's allowance. An address that the owner uses has one of its own, so strangers cannot use it up. */
export const allowanceKeyOf = (
  { clock, digest, policy }: Omit<Needed, 'accounts' | 'domains'>,
  email: string,
  account: Account | undefined,
  { client }: Caller,
): string => {
  const known = account && knownAddress(digest, policy, account, client, clock.now());
  return accountKeyAt(digest, email, known);
};

export const makeAllowanceKey =
  ({ digest, domains }: Needed) =>
  (email: string): string =>
    accountKey(digest, canonicalEmail(domains, email));

export const makeAllowanceKeyAt =
  (needed: Needed) =>
  async (email: string, caller: Caller): Promise<string> => {
    const canonical = canonicalEmail(needed.domains, email);
    return allowanceKeyOf(needed, canonical, await needed.accounts.findByEmail(canonical), caller);
  };
