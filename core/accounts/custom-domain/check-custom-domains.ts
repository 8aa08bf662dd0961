import type { Deps } from '../deps.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { verificationName } from './domain-name.ts';
import type { DomainOwner, DomainRecord } from './domain-record.ts';
import { setDomainVerified } from './verify-custom-domain.ts';

/** Records checked concurrently. */
const BATCH = 20;

/**
 * Checks each domain record once a day: removes claims that no account names, and looks up the TXT record of a verified
 * domain. After `domainFailedDays` consecutive days without the TXT record the domain becomes unverified; days without
 * an answer of the DNS do not count. Returns the number of checked records.
 */
export const makeCheckCustomDomains = (deps: Deps) => {
  const { clock, customDomains, dns, log, policy } = deps;
  const records = makeDomainRecords(deps);
  const system = { actor: 'system', caller: null };

  /** Undefined if the DNS did not answer. */
  const hasTxtRecord = async (domain: string, { token }: DomainOwner): Promise<boolean | undefined> => {
    try {
      return (await dns.txt(verificationName(domain))).includes(token);
    } catch (error) {
      log.warn('domain.not_looked_up', { error });
      return undefined;
    }
  };

  /**
   * Checks `record`, which is `stored` without its abandoned claims, and stores it with the time of the next check. False
   * if another call wrote the record meanwhile.
   */
  const judge = async (stored: DomainRecord, record: DomainRecord): Promise<boolean> => {
    const { owner } = record;
    const timeAfter = (milliseconds: number) => clock.now() + milliseconds;
    const tomorrow = timeAfter(policy.domainCheckEvery);
    if (owner === null) return records.replace(stored, { ...record, lookAt: tomorrow });
    const { userId, token } = owner;
    const isProved = await hasTxtRecord(record.domain, owner);
    if (isProved === undefined)
      return records.replace(stored, { ...record, lookAt: timeAfter(policy.domainCheckRetry) });
    const next = { ...record, lookAt: tomorrow };
    if (isProved) {
      const isReplaced = await records.replace(stored, { ...next, owner: { ...owner, failedDays: 0 } });
      // The account may have missed the verification, after a crash between the two writes.
      if (isReplaced) await setDomainVerified(deps, userId, token, true, system);
      return isReplaced;
    }
    const failedDays = owner.failedDays + 1;
    if (failedDays < policy.domainFailedDays)
      return records.replace(stored, { ...next, owner: { ...owner, failedDays } });
    // The account loses the verification first. If the user verifies the domain again meanwhile, that changes the record: the
    // last write here is then refused, and the user keeps the domain.
    await setDomainVerified(deps, userId, token, false, {
      ...system,
      reason: `${failedDays} days without the TXT record`,
    });
    log.info('domain.unverified', { userId, count: failedDays });
    return records.replace(stored, { ...next, owner: null });
  };

  const checkRecord = async (record: DomainRecord): Promise<boolean> => {
    try {
      return await judge(record, await records.dropAbandonedClaims(record));
    } catch (error) {
      log.warn('domain.look_failed', { error });
      return false;
    }
  };

  return async (limit = BATCH): Promise<number> => {
    const dueRecords = await customDomains.listDue(clock.now(), limit);
    const results = await Promise.all(dueRecords.map(checkRecord));
    return results.filter(Boolean).length;
  };
};
