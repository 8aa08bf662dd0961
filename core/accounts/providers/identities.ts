import { isoTime } from '../../iso-times.ts';
import type { Digest } from '../../ports.ts';
import type { Account, LinkedIdentity, OAuthAccount } from '../account.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName } from '../display-name.ts';
import { canonicalEmail } from '../email.ts';
import { identityKey } from '../login-key.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { DomainNames } from '../ports.ts';
import type { ProviderIdentity } from './identity-provider.ts';

/** An identity as its account stores it. */
export const linkedIdentity = (
  digest: Digest,
  { provider, issuer, subject, email }: ProviderIdentity,
  now: number,
): LinkedIdentity & { readonly key: string } => ({
  provider,
  providerAccountId: subject,
  email,
  createdAt: isoTime(now),
  key: identityKey(digest, issuer, subject),
});

const isSame = (identity: OAuthAccount, other: OAuthAccount): boolean =>
  identity.provider === other.provider && identity.providerAccountId === other.providerAccountId;

/** The identities with this one added. It replaces an identity with the same key, or of the same provider and subject. */
export const withIdentity = (
  identities: readonly LinkedIdentity[],
  added: LinkedIdentity,
): readonly LinkedIdentity[] => [
  ...identities.filter((identity) => identity.key !== added.key && !isSame(identity, added)),
  added,
];

/**
 * The account with what the provider reports now about the identity with this login key: its email, and the provider's id,
 * which the settings may have changed. The same object if nothing changed. The account may already list the same subject
 * under the new id, as a namesake. A namesake without a login key was imported: it is dropped. A namesake with a key stays, and
 * the identity keeps its former id.
 */
export const withReportedFields = (
  account: Account,
  key: string,
  { provider, email }: ProviderIdentity,
): Account => {
  const { oauthAccounts: identities } = account;
  const current = identities.find((identity) => identity.key === key);
  if (current === undefined) return account;
  const namesake = identities.find(
    (identity) => identity !== current && isSame(identity, { ...current, provider }),
  );
  const namesakeStays = namesake?.key !== undefined;
  const changed = { ...current, email, provider: namesakeStays ? current.provider : provider };
  if (current.email === email && current.provider === changed.provider) return account;
  const oauthAccounts = identities
    // Drops the namesake if its id was taken over.
    .filter((identity) => identity === current || !isSame(identity, changed))
    .map((identity) => (identity === current ? changed : identity));
  return { ...account, oauthAccounts };
};

/** The canonical form of the provider's email; undefined if it is missing or invalid. */
export const emailOf = (domains: DomainNames, { email }: ProviderIdentity): string | undefined => {
  if (email === null) return undefined;
  try {
    return canonicalEmail(domains, email);
  } catch {
    return undefined;
  }
};

/** Printable ASCII without blanks: an address with one spelling only. */
const ASCII = /^[\x21-\x7e]+$/;

/**
 * The canonical form of the email that the provider vouches for; undefined if it vouches for none. The canonical form of
 * an address with letters beyond ASCII is another spelling, for which the provider has not vouched.
 */
export const vouchedEmailOf = (domains: DomainNames, identity: ProviderIdentity): string | undefined =>
  identity.emailVerified && ASCII.test(identity.email?.trim() ?? '') ? emailOf(domains, identity) : undefined;

/** The provider's display name of the user; null if our rules refuse it. */
export const nameOf = (policy: AccountsPolicy, { name }: ProviderIdentity): string | null => {
  try {
    return acceptDisplayName(policy, name);
  } catch {
    return null;
  }
};

/** The label of the provider's button, or its id if the provider is not configured any more. */
export const providerName = ({ providers }: Pick<Deps, 'providers'>, id: string): string =>
  providers.list.find((provider) => provider.id === id)?.name ?? id;
