import { CoreError } from '../../errors.ts';
import type { Account, CustomDomain, FormerDomain } from '../account.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/change-entitlements.ts';
import { restricted, secondsUntil } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { User } from '../principal.ts';

/** Whether the tier in effect includes a custom domain. A user who loses the tier keeps the domain, hidden. */
export const mayHaveDomain = (
  user: Pick<User, 'entitlements'>,
  { customDomainTier, selfEntitlement }: Pick<AccountsPolicy, 'customDomainTier' | 'selfEntitlement'>,
): boolean => effectiveAccess(entitlementOf(user, SERVICE), selfEntitlement).tier === customDomainTier;

/** Throws `forbidden` (`enterprise_only`). */
export const requireDomainRight = (user: Pick<User, 'entitlements'>, policy: AccountsPolicy): void => {
  if (!mayHaveDomain(user, policy)) throw restricted('enterprise_only');
};

// A claim excludes other users for a limited time. A user who removes a domain and claims it again does not get more
// time, so each account remembers its removed domains for some time.

type MemoryPolicy = Pick<AccountsPolicy, 'domainsRemembered' | 'formerDomainLifeMs'>;

/** The domains still remembered. An entry from the future does not count: it was written before the clock was set back. */
const rememberedDomains = (
  { formerDomains }: Account,
  now: number,
  { formerDomainLifeMs }: MemoryPolicy,
): readonly FormerDomain[] =>
  formerDomains.filter(({ forgetAt }) => forgetAt > now && forgetAt <= now + formerDomainLifeMs);

/**
 * When the account's claim of a domain began: if the account removed this domain before, at its first claim, else now.
 * Throws `throttled` (`too_many_domains`) if the account removed too many other domains. See decision 0035.
 */
export const claimedSince = (account: Account, domain: string, now: number, policy: MemoryPolicy): number => {
  const remembered = rememberedDomains(account, now, policy);
  const formerClaim = remembered.find((candidate) => candidate.domain === domain);
  // At most now: the clock may have been set back since the first claim.
  if (formerClaim !== undefined) return Math.min(formerClaim.claimedAt, now);
  if (remembered.length < policy.domainsRemembered) return now;
  const until = Math.min(...remembered.map(({ forgetAt }) => forgetAt));
  throw new CoreError('throttled', 'too_many_domains', 'Too many changes of the domain; try again later.', {
    retryAfter: secondsUntil(until, now),
  });
};

/** The account with another domain, or without a domain, in place of its current domain. */
export const withDomain = (
  account: Account,
  next: CustomDomain | null,
  now: number,
  policy: MemoryPolicy,
): Account => {
  const { customDomain: current } = account;
  // `next` is no longer a former domain, and `current` gets a new entry.
  const remaining = rememberedDomains(account, now, policy).filter(
    ({ domain }) => domain !== next?.domain && domain !== current?.domain,
  );
  const removed =
    current === null
      ? []
      : [{ domain: current.domain, claimedAt: current.claimedAt, forgetAt: now + policy.formerDomainLifeMs }];
  return { ...account, customDomain: next, formerDomains: [...remaining, ...removed], updatedAt: now };
};
