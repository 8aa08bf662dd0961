import { CoreError, unavailable } from '../../errors.ts';
import type { Account, CustomDomain, FormerDomain } from '../account.ts';
import type { Deps } from '../deps.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/change-entitlements.ts';
import { restricted, secondsUntil } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { User } from '../principal.ts';
import {
  type DomainClaim,
  type DomainRecord,
  newDomainRecord,
  withClaim,
  withOwner,
  withoutClaim,
} from './domain-record.ts';

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

type Memory = Pick<AccountsPolicy, 'domainsRemembered' | 'domainMemory'>;

/** The domains still remembered. An entry from the future does not count: it was written before the clock was set back. */
const rememberedDomains = (
  { formerDomains }: Account,
  now: number,
  { domainMemory }: Memory,
): readonly FormerDomain[] =>
  formerDomains.filter(({ forgetAt }) => forgetAt > now && forgetAt <= now + domainMemory);

/**
 * When the account's claim of a domain began: if the account removed this domain before, at its first claim, else now.
 * Throws `throttled` (`too_many_domains`) if the account removed too many other domains. See decision 0035.
 */
export const claimedSince = (account: Account, domain: string, now: number, memory: Memory): number => {
  const remembered = rememberedDomains(account, now, memory);
  const formerClaim = remembered.find((candidate) => candidate.domain === domain);
  // At most now: the clock may have been set back since the first claim.
  if (formerClaim !== undefined) return Math.min(formerClaim.claimedAt, now);
  if (remembered.length < memory.domainsRemembered) return now;
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
  memory: Memory,
): Account => {
  const { customDomain: current } = account;
  // `next` is no longer a former domain, and `current` gets a new entry.
  const remaining = rememberedDomains(account, now, memory).filter(
    ({ domain }) => domain !== next?.domain && domain !== current?.domain,
  );
  const removed =
    current === null
      ? []
      : [{ domain: current.domain, claimedAt: current.claimedAt, forgetAt: now + memory.domainMemory }];
  return { ...account, customDomain: next, formerDomains: [...remaining, ...removed], updatedAt: now };
};

const ATTEMPTS = 200;

// A custom domain is stored in two documents. The account has its user's domain and whether it is verified; the domain's
// record decides between users, and has at most one owner. No write covers both documents, so the order of the writes
// keeps them consistent:
//
// - A gain is written to the record first, then to the account. After a crash in between, the record has a claim that no
//   account names. The claim counts for a minute, since the write of its account may still follow; after that, the next
//   user who claims the domain removes it, and so does the daily check. If an owner's account was not updated, the
//   owner's next attempt or the daily check updates it.
// - A loss is written to the account first, with a task that names the claim, then to the record. After a crash in
//   between the relay runs the task; and since no account names the claim, it blocks nobody. A daily check that fails in
//   between needs no task: it is still due.
//
// So an account never claims more than the record: two accounts can never both have the same domain as verified.

/** Changes domain records by conditional writes. See decision 0035. */
export const makeDomainRecords = (
  deps: Pick<Deps, 'accounts' | 'clock' | 'customDomains' | 'newId' | 'policy'>,
) => {
  const { accounts, clock, customDomains, newId, policy } = deps;

  const claimOf = (userId: string, { token, claimedAt }: CustomDomain): DomainClaim => ({
    userId,
    token,
    at: claimedAt,
    enteredAt: clock.now(),
  });

  const isNamed = async ({ userId, token }: DomainClaim): Promise<boolean> =>
    (await accounts.find(userId))?.customDomain?.token === token;

  /** The record without claims that no account names. New claims stay: the write of their account may still follow. */
  const dropAbandonedClaims = async (record: DomainRecord): Promise<DomainRecord> => {
    let remaining = record;
    for (const claim of record.claims) {
      if (clock.now() - claim.enteredAt < policy.domainClaimSettles || (await isNamed(claim))) continue;
      remaining = withoutClaim(remaining, claim.token);
    }
    return remaining;
  };

  /** Replaces the record unless another call replaced it since it was read. Removes a record without claims. */
  const replace = async (stored: DomainRecord | undefined, next: DomainRecord): Promise<boolean> => {
    const record = { ...next, revision: newId() };
    if (stored === undefined) return customDomains.add(record);
    return record.claims.length === 0
      ? customDomains.remove(record.domain, stored.revision)
      : customDomains.save(record, stored.revision);
  };

  const change = async (
    domain: string,
    decide: (record: DomainRecord) => DomainRecord | Promise<DomainRecord>,
  ): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await customDomains.find(domain);
      const record = stored ?? newDomainRecord(domain, clock.now() + policy.domainCheckEvery);
      const next = await decide(record);
      if (next === record || (await replace(stored, next))) return;
    }
    throw unavailable('contended', 'Too many changes of this domain at once; try again.', 1);
  };

  return {
    dropAbandonedClaims,
    replace,
    /** Adds a claim. Throws `conflict` (`domain_taken`). */
    claim: (userId: string, customDomain: CustomDomain): Promise<void> =>
      change(customDomain.domain, async (record) =>
        withClaim(await dropAbandonedClaims(record), claimOf(userId, customDomain), policy.domainClaimLife),
      ),
    /** Makes the user the owner. Always writes, so that a daily check that would remove the owner fails by its revision. */
    setOwner: (userId: string, customDomain: CustomDomain): Promise<void> =>
      change(customDomain.domain, async (record) =>
        withOwner(
          await dropAbandonedClaims(record),
          claimOf(userId, customDomain),
          clock.now() + policy.domainCheckEvery,
        ),
      ),
    /** Removes a claim and the ownership that came from it. May be repeated. */
    free: ({ domain, token }: Pick<CustomDomain, 'domain' | 'token'>): Promise<void> =>
      change(domain, (record) => withoutClaim(record, token)),
  };
};
