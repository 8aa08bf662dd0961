import type { Digest } from '../ports.ts';
import type { Account } from './account.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { DAY } from './policy.ts';
import type { HashOptions } from './ports.ts';
import { accountKeyAt } from './throttle-keys.ts';

const addressDigests = (digest: Digest, userId: string, address: string) =>
  digest.everyKeyed('address', `${userId}:${address}`);

type AddressDeps = Pick<Deps, 'clock' | 'digest' | 'policy'>;

/** The digest of the client's address if the owner signed in from it lately; undefined for a stranger's address. */
export const knownAddressDigest = (
  { clock, digest, policy }: AddressDeps,
  account: Account | undefined,
  address: string,
): string | undefined => {
  if (account === undefined) return undefined;
  const candidates = addressDigests(digest, account.id, address);
  const since = clock.now() - policy.knownAddressLife;
  return account.knownAddresses.find((entry) => entry.lastAt > since && candidates.includes(entry.digest))
    ?.digest;
};

/**
 * The key of an account's allowance. An address that the owner uses has an allowance of its own, which strangers cannot
 * use up.
 */
export const allowanceKeyOf = (
  deps: AddressDeps,
  email: string,
  account: Account | undefined,
  { client }: Caller,
): string => accountKeyAt(deps.digest, email, knownAddressDigest(deps, account, client));

/** For whom the hashing queue counts a call: the email's account, by the key of its allowance, and the client address. */
export const hashOptionsFor = (
  deps: AddressDeps,
  email: string,
  account: Account | undefined,
  caller: Caller,
): HashOptions => ({
  for: { account: allowanceKeyOf(deps, email, account, caller), client: caller.client },
});

/** The account with this address as the one last used; the same object if that was recorded within the last day. */
export const rememberAddress = (
  { clock, digest, policy }: AddressDeps,
  account: Account,
  address: string,
): Account => {
  const now = clock.now();
  const candidates = addressDigests(digest, account.id, address);
  const noted = account.knownAddresses.find((entry) => candidates.includes(entry.digest));
  if (noted !== undefined && noted.lastAt > now - DAY) return account;
  const others = account.knownAddresses.filter((entry) => entry !== noted);
  const [newest = ''] = candidates;
  return {
    ...account,
    knownAddresses: [{ digest: newest, lastAt: now }, ...others].slice(0, policy.knownAddresses),
  };
};

/** The account without known addresses except this one. */
export const forgetOtherAddresses = (digest: Digest, account: Account, address: string): Account => {
  const candidates = addressDigests(digest, account.id, address);
  const knownAddresses = account.knownAddresses.filter((entry) => candidates.includes(entry.digest));
  return { ...account, knownAddresses };
};
