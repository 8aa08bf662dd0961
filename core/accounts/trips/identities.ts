import type { Digest } from '../../ports.ts';
import type { Account, LinkedIdentity, OAuthAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { DomainNames } from '../ports.ts';
import { identityKey } from '../ways-in/login-key.ts';
import type { ProviderIdentity } from '../ways-in/provider.ts';

/** An identity as an account is to name it, from now on. */
export const linkedIdentity = (
  digest: Digest,
  { provider, issuer, subject, email }: ProviderIdentity,
  now: number,
): LinkedIdentity & { readonly key: string } => ({
  provider,
  providerAccountId: subject,
  email,
  createdAt: new Date(now).toISOString(),
  key: identityKey(digest, issuer, subject),
});

const isSame = (one: OAuthAccount, other: OAuthAccount): boolean =>
  one.provider === other.provider && one.providerAccountId === other.providerAccountId;

/** The identities with this one: in place of one that was imported, or with the key that it has. */
export const withIdentity = (
  identities: readonly LinkedIdentity[],
  added: LinkedIdentity,
): readonly LinkedIdentity[] => [
  ...identities.filter((one) => one.key !== added.key && !isSame(one, added)),
  added,
];

/**
 * The account with the identity as its provider has it now: its email, and its id here. The same account where that is no
 * news. It keeps its id where that would be the name of another identity that opens the account: nobody would see that one.
 */
export const asProviderSays = (
  account: Account,
  key: string,
  { provider, email }: ProviderIdentity,
): Account => {
  const { oauthAccounts: identities } = account;
  const known = identities.find((one) => one.key === key);
  if (known === undefined) return account;
  const named = identities.find((one) => one !== known && isSame(one, { ...known, provider }));
  const changed = { ...known, email, provider: named?.key === undefined ? provider : known.provider };
  if (known.email === email && known.provider === changed.provider) return account;
  const oauthAccounts = identities
    .filter((one) => one === known || !isSame(one, changed))
    .map((one) => (one === known ? changed : one));
  return { ...account, oauthAccounts };
};

/** The provider's email in our form; undefined where it has none that we take. */
export const emailOf = (domains: DomainNames, { email }: ProviderIdentity): string | undefined => {
  if (email === null) return undefined;
  try {
    return canonicalEmail(domains, email);
  } catch {
    return undefined;
  }
};

/** Blanks, and what has two ways to be read, are not in it. */
const ASCII = /^[\x21-\x7e]+$/;

/**
 * The email that the provider vouches for, in our form; undefined where it vouches for none. Of an address with letters
 * beyond ASCII ours is another spelling, and which mailbox the provider's mail went to depends on how it spells it: it
 * has not vouched for ours.
 */
export const vouchedEmailOf = (domains: DomainNames, identity: ProviderIdentity): string | undefined =>
  identity.emailVerified && ASCII.test(identity.email?.trim() ?? '') ? emailOf(domains, identity) : undefined;

/** The provider's name for the person; null where we would refuse it. */
export const nameOf = (policy: AccountsPolicy, { name }: ProviderIdentity): string | null => {
  try {
    return acceptDisplayName(policy, name);
  } catch {
    return null;
  }
};
