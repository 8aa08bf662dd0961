import type { Digest } from '../ports.ts';
import type { Account } from './account.ts';
import type { Deps } from './deps.ts';
import { DAY } from './policy.ts';

/** The digests of an address (the `client` of a `Caller`) under every live hash key, the newest key first. */
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
  const since = clock.now() - policy.knownAddressLifeMs;
  return account.knownAddresses.find((entry) => entry.lastAt > since && candidates.includes(entry.digest))
    ?.digest;
};

/** The account with this address as the one last used; the same object if that was recorded within the last day. */
export const rememberAddress = (
  { clock, digest, policy }: AddressDeps,
  account: Account,
  address: string,
): Account => {
  const now = clock.now();
  const candidates = addressDigests(digest, account.id, address);
  const entry = account.knownAddresses.find(({ digest: stored }) => candidates.includes(stored));
  if (entry !== undefined && entry.lastAt > now - DAY) return account;
  const others = account.knownAddresses.filter((other) => other !== entry);
  // There always is a live key; the default only satisfies the type.
  const [newestDigest = ''] = candidates;
  return {
    ...account,
    knownAddresses: [{ digest: newestDigest, lastAt: now }, ...others].slice(0, policy.knownAddresses),
  };
};

export const forgetOtherAddresses = (digest: Digest, account: Account, address: string): Account => {
  const candidates = addressDigests(digest, account.id, address);
  const knownAddresses = account.knownAddresses.filter((entry) => candidates.includes(entry.digest));
  return { ...account, knownAddresses };
};
