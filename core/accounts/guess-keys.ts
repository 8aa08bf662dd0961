import type { Digest } from '../ports.ts';
import type { Account } from './account.ts';
import { canonicalEmail } from './email.ts';
import type { Caller, Needs } from './needs.ts';
import type { AccountsPolicy } from './policy.ts';
import type { HashOptions } from './ports.ts';

/** The account allowances that the ways in count in, and under which keys. No email or address stands in a key. */
export const accountKey = (digest: Digest, email: string): string => digest.keyed('account', email);

/** The same apart for an address that the account's owner uses. */
export const accountKeyAt = (digest: Digest, email: string, known: string | undefined): string =>
  `${accountKey(digest, email)}${known === undefined ? '' : `:${known}`}`;

const addressDigests = (digest: Digest, userId: string, address: string) =>
  digest.everyKeyed('address', `${userId}:${address}`);

/** The digest of an address from which the owner logged in lately, undefined for a stranger's. */
export const knownAddress = (
  digest: Digest,
  policy: AccountsPolicy,
  account: Account,
  address: string,
  now: number,
): string | undefined => {
  const candidates = addressDigests(digest, account.id, address);
  return account.knownAddresses.find(
    (known) => known.lastAt > now - policy.knownAddressLife && candidates.includes(known.digest),
  )?.digest;
};

/** The account with this address as the one last used; the same account when that was noted within the last day. */
export const rememberAddress = (
  digest: Digest,
  policy: AccountsPolicy,
  account: Account,
  address: string,
  now: number,
): Account => {
  const candidates = addressDigests(digest, account.id, address);
  const noted = account.knownAddresses.find((known) => candidates.includes(known.digest));
  if (noted !== undefined && noted.lastAt > now - 86_400_000) return account;
  const others = account.knownAddresses.filter((known) => known !== noted);
  const [newest = ''] = candidates;
  return {
    ...account,
    knownAddresses: [{ digest: newest, lastAt: now }, ...others].slice(0, policy.knownAddresses),
  };
};

/** The account with no known address but this one, where it is known. */
export const forgetOtherAddresses = (digest: Digest, account: Account, address: string): Account => {
  const candidates = addressDigests(digest, account.id, address);
  const knownAddresses = account.knownAddresses.filter((known) => candidates.includes(known.digest));
  return { ...account, knownAddresses };
};

/** Where wrong passwords for an email are counted; apart for an address its owner uses. */
export const passwordTriesKey = (digest: Digest, email: string, known: string | undefined): string =>
  `password:${accountKeyAt(digest, email, known)}`;

const networkOf = (digest: Digest, email: string, client: string) =>
  digest.keyed('address', `${email}:${client}`);

/** How every key begins under which wrong verification codes for an email are counted. */
export const codeTriesOf = (digest: Digest, email: string): string => `code:${accountKey(digest, email)}:`;

/** How those begin under which they are counted for one client network each. */
export const networkCodeTriesOf = (digest: Digest, email: string): string =>
  `${codeTriesOf(digest, email)}network:`;

export const networkCodeTriesKey = (digest: Digest, email: string, client: string): string =>
  `${networkCodeTriesOf(digest, email)}${networkOf(digest, email, client)}`;

/**
 * Where they are counted for the email, whoever sent them. The key names the account, so that no try before a
 * registration counts against it: nobody bars an email from signing up.
 */
export const codeTriesKey = (digest: Digest, email: string, userId: string | undefined): string =>
  `${codeTriesOf(digest, email)}account:${userId ?? ''}`;

/** The keys of code mails: all, those that one client network asked for, and those that the service sent unasked. */
export const codeMailsKey = (digest: Digest, email: string): string => `mails:${accountKey(digest, email)}`;

export const networkCodeMailsKey = (digest: Digest, email: string, client: string): string =>
  `${codeMailsKey(digest, email)}:${networkOf(digest, email, client)}`;

export const unaskedCodeMailsKey = (digest: Digest, email: string): string =>
  `${codeMailsKey(digest, email)}:unasked`;

/** Where the changes of email that a user asks for are counted. */
export const emailChangesKey = (userId: string): string => `email-changes:${userId}`;

/** Every key under which wrong passwords for the account are counted. */
export const passwordTriesKeys = (digest: Digest, account: Account): readonly string[] => [
  passwordTriesKey(digest, account.email, undefined),
  ...account.knownAddresses.map((known) => passwordTriesKey(digest, account.email, known.digest)),
];

/** For whom a password is hashed: the email's account, apart for an address that its owner uses, and the client. */
export const hashedFor = (
  { clock, digest, policy }: Pick<Needs, 'clock' | 'digest' | 'policy'>,
  email: string,
  account: Account | undefined,
  { client }: Caller,
): HashOptions => {
  const known = account && knownAddress(digest, policy, account, client, clock.now());
  return { for: { account: accountKeyAt(digest, email, known), client } };
};

/**
 * Counts a call in the allowance of an account, under this key. What it throws ends the call. An embedding app that
 * counts nothing leaves it out.
 */
export type Admit = (allowanceKey: string) => Promise<void>;

type Needed = Pick<Needs, 'accounts' | 'clock' | 'digest' | 'domains' | 'policy'>;

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
