import { CoreError } from '../../errors.ts';
import type { Account, CustomDomain, FormerDomain } from '../account.ts';
import { secondsUntil } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';

// A claim keeps others away for a while. Whoever gives a domain up and claims it again gets no new while, so each
// account remembers for some time which domains it gave up.

type Memory = Pick<AccountsPolicy, 'domainsRemembered' | 'domainMemory'>;

/** Those that are still remembered. One of a time to come is of a clock that was set back since. */
const remembered = (
  { formerDomains }: Account,
  now: number,
  { domainMemory }: Memory,
): readonly FormerDomain[] =>
  formerDomains.filter(({ forgetAt }) => forgetAt > now && forgetAt <= now + domainMemory);

/**
 * When the account's claim of a domain began: now, or when it first claimed one that it gave up. Throws `throttled`
 * (`too_many_domains`) when it gave up too many others.
 * See decision 0036.
 */
export const claimStart = (account: Account, domain: string, now: number, memory: Memory): number => {
  const former = remembered(account, now, memory);
  const same = former.find((one) => one.domain === domain);
  if (same !== undefined) return Math.min(same.claimedAt, now);
  if (former.length < memory.domainsRemembered) return now;
  const until = Math.min(...former.map(({ forgetAt }) => forgetAt));
  throw new CoreError('throttled', 'too_many_domains', 'Too many domains were given up; try again later.', {
    retryAfter: secondsUntil(until, now),
  });
};

/** The account with this domain, or none, in place of the one it has. */
export const withDomain = (
  account: Account,
  next: CustomDomain | null,
  now: number,
  memory: Memory,
): Account => {
  const before = account.customDomain;
  const kept = remembered(account, now, memory).filter(
    ({ domain }) => domain !== next?.domain && domain !== before?.domain,
  );
  const added =
    before === null
      ? []
      : [{ domain: before.domain, claimedAt: before.claimedAt, forgetAt: now + memory.domainMemory }];
  return { ...account, customDomain: next, formerDomains: [...kept, ...added], updatedAt: now };
};
