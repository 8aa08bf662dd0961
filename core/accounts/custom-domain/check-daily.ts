import type { DomainOwner, DomainRecord } from '../domain-record.ts';
import type { Kit } from '../kit.ts';
import { makeDomainRecords } from './change-record.ts';
import { verificationName } from './name.ts';
import { makeMarkDomain } from './verify-custom-domain.ts';

/** Records that are checked at once. */
const AT_ONCE = 20;

/**
 * Looks over the records of domains, each once a day: claims that no account names go, and the TXT record of a verified
 * one is looked up. After `domainFailedDays` days in a row without it the domain counts as unverified; a day on which
 * the DNS did not answer is none of them. Gives the number of records done.
 */
export const makeCheckCustomDomains = (kit: Kit) => {
  const { clock, customDomains, dns, log, policy } = kit;
  const records = makeDomainRecords(kit);
  const mark = makeMarkDomain(kit);
  const system = { actor: 'system', caller: null };

  /** Undefined when the DNS did not say. */
  const isThere = async (domain: string, { token }: DomainOwner): Promise<boolean | undefined> => {
    try {
      return (await dns.txt(verificationName(domain))).includes(token);
    } catch (error) {
      log.warn('domain.not_looked_up', { error });
      return undefined;
    }
  };

  /** Checks a record and writes when the next check is due. False if another call wrote the record meanwhile. */
  const judge = async (seen: DomainRecord, record: DomainRecord): Promise<boolean> => {
    const { owner } = record;
    const later = (milliseconds: number) => clock.now() + milliseconds;
    const tomorrow = later(policy.domainLookEvery);
    if (owner === null) return records.replace(seen, { ...record, lookAt: tomorrow });
    const { userId, token } = owner;
    const there = await isThere(record.domain, owner);
    if (there === undefined)
      return records.replace(seen, { ...record, lookAt: later(policy.domainLookRetry) });
    const next = { ...record, lookAt: tomorrow };
    if (there) {
      const kept = await records.replace(seen, { ...next, owner: { ...owner, failedDays: 0 } });
      // Its verification may have ended between the two writes.
      if (kept) await mark(userId, token, true, system);
      return kept;
    }
    const failedDays = owner.failedDays + 1;
    if (failedDays < policy.domainFailedDays)
      return records.replace(seen, { ...next, owner: { ...owner, failedDays } });
    // What is lost goes out of the account first. Whoever verifies it meanwhile writes the record, and keeps it.
    await mark(userId, token, false, { ...system, reason: `${failedDays} days without the TXT record` });
    log.info('domain.unverified', { userId, count: failedDays });
    return records.replace(seen, { ...next, owner: null });
  };

  const look = async (seen: DomainRecord): Promise<boolean> => {
    try {
      return await judge(seen, await records.standing(seen));
    } catch (error) {
      log.warn('domain.look_failed', { error });
      return false;
    }
  };

  return async (limit = AT_ONCE): Promise<number> => {
    const due = await customDomains.listDue(clock.now(), limit);
    const done = await Promise.all(due.map(look));
    return done.filter(Boolean).length;
  };
};
