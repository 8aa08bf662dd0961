import { unavailable } from '../../errors.ts';
import type { CustomDomain } from '../account.ts';
import type { Deps } from '../deps.ts';
import {
  type DomainClaim,
  type DomainRecord,
  newDomainRecord,
  withClaim,
  withOwner,
  withoutClaim,
} from './domain-record.ts';

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
//   between the relay runs the task; and since no account names the claim, it blocks nobody. A loss that the daily check
//   finds has no task: after a crash in between, the check is still due.
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
      if (clock.now() - claim.enteredAt < policy.domainClaimGraceMs || (await isNamed(claim))) continue;
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
      const record = stored ?? newDomainRecord(domain, clock.now() + policy.domainCheckEveryMs);
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
        withClaim(await dropAbandonedClaims(record), claimOf(userId, customDomain), policy.domainClaimLifeMs),
      ),
    /** Makes the user the owner. Always writes a new revision: a daily check that is about to remove the owner then fails. */
    setOwner: (userId: string, customDomain: CustomDomain): Promise<void> =>
      change(customDomain.domain, async (record) =>
        withOwner(
          await dropAbandonedClaims(record),
          claimOf(userId, customDomain),
          clock.now() + policy.domainCheckEveryMs,
        ),
      ),
    /** Removes a claim and the ownership that came from it. May be repeated. */
    free: ({ domain, token }: Pick<CustomDomain, 'domain' | 'token'>): Promise<void> =>
      change(domain, (record) => withoutClaim(record, token)),
  };
};
