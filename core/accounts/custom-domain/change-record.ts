import { unavailable } from '../../errors.ts';
import type { CustomDomain } from '../account.ts';
import {
  type DomainClaim,
  type DomainRecord,
  newDomainRecord,
  withClaim,
  withOwner,
  withoutClaim,
} from '../domain-record.ts';
import type { Needs } from '../needs.ts';

const ATTEMPTS = 200;

// A custom domain lies in two documents. The account says which domain its user has, and whether as verified; the
// domain's record decides between users, and has at most one owner. No write takes in both, so their order must do:
//
// - What a user gains goes into the record first, then into the account. After a crash in between, the record holds a
//   claim that no account names. It counts for a minute, since its account may just be being written; from then on
//   whoever wants the domain drops it, and so does the daily look. An owner whose account was not told yet tries again
//   and is told, or is told by the daily look.
// - What a user loses goes out of the account first, with a task that names the claim, then out of the record. After a
//   crash in between the relay does the task; and since no account names the claim, it stands in nobody's way.
//
// So an account never says more than the record: two can never both have a domain as verified.

/** Changes the records of domains, each by conditional writes of its own. See decision 0035. */
export const makeDomainRecords = (
  needs: Pick<Needs, 'accounts' | 'clock' | 'customDomains' | 'newId' | 'policy'>,
) => {
  const { accounts, clock, customDomains, newId, policy } = needs;

  const claimOf = (userId: string, { token, claimedAt }: CustomDomain): DomainClaim => ({
    userId,
    token,
    at: claimedAt,
    enteredAt: clock.now(),
  });

  const isNamed = async ({ userId, token }: DomainClaim): Promise<boolean> =>
    (await accounts.find(userId))?.customDomain?.token === token;

  /** The record without claims that no account names. New claims stay: their account may still be written. */
  const standing = async (record: DomainRecord): Promise<DomainRecord> => {
    let left = record;
    for (const claim of record.claims) {
      if (clock.now() - claim.enteredAt < policy.domainClaimSettles || (await isNamed(claim))) continue;
      left = withoutClaim(left, claim.token);
    }
    return left;
  };

  /** Replaces the record unless another call did so since it was read. Removes a record without claims. */
  const replace = async (seen: DomainRecord | undefined, next: DomainRecord): Promise<boolean> => {
    const record = { ...next, revision: newId() };
    if (seen === undefined) return customDomains.add(record);
    return record.claims.length === 0
      ? customDomains.remove(record.domain, seen.revision)
      : customDomains.save(record, seen.revision);
  };

  const change = async (
    domain: string,
    decide: (record: DomainRecord) => DomainRecord | Promise<DomainRecord>,
  ): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = await customDomains.find(domain);
      const seen = found ?? newDomainRecord(domain, clock.now() + policy.domainLookEvery);
      const next = await decide(seen);
      if (next === seen || (await replace(found, next))) return;
    }
    throw unavailable('contended', 'Too many changes of this domain at once; try again.', 1);
  };

  return {
    standing,
    replace,
    /** Enters a claim. Throws `conflict` (`domain_taken`). */
    claim: (userId: string, own: CustomDomain): Promise<void> =>
      change(own.domain, async (record) =>
        withClaim(await standing(record), claimOf(userId, own), policy.domainClaimLife),
      ),
    /** Makes the user the owner. Always writes, so that a removal that was decided before fails by its revision. */
    own: (userId: string, own: CustomDomain): Promise<void> =>
      change(own.domain, async (record) =>
        withOwner(await standing(record), claimOf(userId, own), clock.now() + policy.domainLookEvery),
      ),
    /** Removes a claim and the ownership that came from it. May be repeated. */
    free: ({ domain, token }: Pick<CustomDomain, 'domain' | 'token'>): Promise<void> =>
      change(domain, (record) => withoutClaim(record, token)),
  };
};
