import type { Digest } from '../ports.ts';
import type { Account } from './account.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { knownAddressDigest } from './known-address.ts';
import { DAY } from './policy.ts';
import type { HashOptions } from './ports.ts';
import { timeSince } from './session.ts';

/** The key under which calls about an email are counted. No key contains an email or a client address. */
export const accountKey = (digest: Digest, email: string): string => digest.keyed('account', email);

/** The key of counts that nobody reads: a decoy write costs as much as a count, and uses up no allowance. */
export const decoyKey = (key: string): string => `nobody:${key}`;

/** `accountKey`, or a key of its own for a client address that the owner uses (`knownDigest`). */
const accountKeyAt = (digest: Digest, email: string, knownDigest: string | undefined): string =>
  `${accountKey(digest, email)}${knownDigest === undefined ? '' : `:${knownDigest}`}`;

/** The key that counts wrong passwords for an email, separately for each client address that its owner uses. */
export const passwordAttemptsKey = (
  digest: Digest,
  email: string,
  addressDigest: string | undefined,
): string => `password:${accountKeyAt(digest, email, addressDigest)}`;

/** `client`: an IPv4 address, or the /64 of an IPv6 address. */
const networkOf = (digest: Digest, email: string, client: string) =>
  digest.keyed('address', `${email}:${client}`);

/** The prefix of all keys that count wrong verification codes for an email. */
export const codeAttemptsOf = (digest: Digest, email: string): string => `code:${accountKey(digest, email)}:`;

/** The prefix of the keys that count wrong verification codes by client network. */
export const networkCodeAttemptsOf = (digest: Digest, email: string): string =>
  `${codeAttemptsOf(digest, email)}network:`;

export const networkCodeAttemptsKey = (digest: Digest, email: string, client: string): string =>
  `${networkCodeAttemptsOf(digest, email)}${networkOf(digest, email, client)}`;

/**
 * The key that counts wrong verification codes from all networks. It contains the account's id. While no account has the
 * email, attempts count under a key without an id: so nobody can bar the email from signing up later.
 */
export const codeAttemptsKey = (digest: Digest, email: string, userId: string | undefined): string =>
  `${codeAttemptsOf(digest, email)}account:${userId ?? ''}`;

/** The emails whose codes the owner may enter: the account's own, and the new one of a change requested within a day. */
export const emailsWithCodes = ({ email, emailChange }: Account, now: number): readonly string[] =>
  emailChange !== null && timeSince(emailChange.at, now) <= DAY ? [email, emailChange.to] : [email];

/** The key that counts all code mails to an email. */
export const codeMailsKey = (digest: Digest, email: string): string => `mails:${accountKey(digest, email)}`;

/** The key that counts the code mails that one client network requested. */
export const networkCodeMailsKey = (digest: Digest, email: string, client: string): string =>
  `${codeMailsKey(digest, email)}:${networkOf(digest, email, client)}`;

/** The key that counts the code mails that were sent without a request. */
export const unaskedCodeMailsKey = (digest: Digest, email: string): string =>
  `${codeMailsKey(digest, email)}:unasked`;

export const emailChangesKey = (userId: string): string => `email-changes:${userId}`;

/** Every key under which wrong passwords for the account are counted. */
export const passwordAttemptsKeys = (digest: Digest, account: Account): readonly string[] => [
  passwordAttemptsKey(digest, account.email, undefined),
  ...account.knownAddresses.map((entry) => passwordAttemptsKey(digest, account.email, entry.digest)),
];

/**
 * Counts a call in the allowance of an account, under this key, before the call has any effect. Throws to end the call.
 * An embedding app without limits omits it.
 */
export type ChargeAllowance = (allowanceKey: string) => Promise<void>;

/** The key of an account's allowance. A client address that the owner uses has its own, which strangers cannot use up. */
export const allowanceKeyOf = (
  deps: Pick<Deps, 'clock' | 'digest' | 'policy'>,
  email: string,
  account: Account | undefined,
  { client }: Caller,
): string => accountKeyAt(deps.digest, email, knownAddressDigest(deps, account, client));

/** For whom the hashing queue counts a call: the email's account, by the key of its allowance, and the client address. */
export const hashOptionsFor = (
  deps: Pick<Deps, 'clock' | 'digest' | 'policy'>,
  email: string,
  account: Account | undefined,
  caller: Caller,
): HashOptions => ({
  for: { account: allowanceKeyOf(deps, email, account, caller), client: caller.client },
});
