import { message, TRUE } from '../../answer-schemas.ts';
import { CoreError, invalid } from '../../errors.ts';
import { object, type TypeOf } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import { CLOCK_SET_BACK_MS } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { DOMAIN, verificationName } from './domain-name.ts';
import type { DomainOwner, DomainRecord } from './domain-record.ts';
import { requireDomainRight } from './domain-rules.ts';

const noDomain = () => new CoreError('missing', 'domain_not_set', 'No custom domain is set.');

/**
 * Stores in the account whether its domain with this token is verified, with the audit row. False if the account has
 * another domain or token by now, or no domain.
 */
const setDomainVerified = (
  { accounts, change, clock, entries }: Pick<Deps, 'accounts' | 'change' | 'clock' | 'entries'>,
  userId: string,
  token: string,
  verified: boolean,
  by: { readonly actor: string; readonly reason?: string; readonly caller: Caller | null },
): Promise<boolean> =>
  change(
    () => accounts.find(userId),
    (account) => {
      const customDomain = account?.customDomain;
      if (account === undefined || customDomain?.token !== token) return { next: null, answer: false };
      if (customDomain.verified === verified) return { next: null, answer: true };
      const row = entries.audit({
        action: verified ? 'domain.verified' : 'domain.unverified',
        target: userId,
        before: { domain: customDomain.domain, verified: customDomain.verified },
        after: { domain: customDomain.domain, verified },
        ...by,
      });
      const next = { ...account, customDomain: { ...customDomain, verified }, updatedAt: clock.now() };
      return { next: withPending(next, row), answer: true };
    },
  );

export const verifyCustomDomainResult = object({
  success: TRUE,
  domain: DOMAIN,
  message: message('The domain is verified.'),
});
export type VerifyCustomDomainResult = TypeOf<typeof verifyCustomDomainResult>;

export const makeVerifyCustomDomain = (deps: Deps) => {
  const { dns, policy } = deps;
  const records = makeDomainRecords(deps);

  return async ({ user }: Principal, caller: Caller): Promise<VerifyCustomDomainResult> => {
    requireDomainRight(user, policy);
    const { id, customDomain } = user;
    if (customDomain === null) throw noDomain();
    const { domain, token } = customDomain;
    if (!customDomain.verified) {
      // Rejects a domain that another user has verified, before the DNS look-up.
      await records.claim(id, customDomain);
      const name = verificationName(domain);
      if (!(await dns.txt(name)).includes(token)) {
        throw invalid('domain_not_verified', `The TXT record of ${name} is missing, or has another value.`);
      }
      // The domain's record decides between users. It is written before the account, so that even after a crash in between no
      // two accounts have the domain as verified.
      await records.setOwner(id, customDomain);
      if (!(await setDomainVerified(deps, id, token, true, { actor: id, caller }))) {
        await records.free(customDomain);
        throw noDomain();
      }
    }
    return { success: true, domain, message: 'The domain is verified.' };
  };
};

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
  const checkAndStore = async (stored: DomainRecord, record: DomainRecord): Promise<boolean> => {
    const { owner } = record;
    const timeAfter = (milliseconds: number) => clock.now() + milliseconds;
    const tomorrow = timeAfter(policy.domainCheckEveryMs);
    if (owner === null) return records.replace(stored, { ...record, lookAt: tomorrow });
    const { userId, token } = owner;
    const isProved = await hasTxtRecord(record.domain, owner);
    if (isProved === undefined)
      return records.replace(stored, { ...record, lookAt: timeAfter(policy.domainCheckRetryMs) });
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
      return await checkAndStore(record, await records.dropAbandonedClaims(record));
    } catch (error) {
      log.warn('domain.look_failed', { error });
      return false;
    }
  };

  return async (limit = BATCH): Promise<number> => {
    const now = clock.now();
    // The latest time that a check can have set, by a clock that may be ahead of ours by `CLOCK_SET_BACK_MS`.
    const latest = now + policy.domainCheckEveryMs + CLOCK_SET_BACK_MS;
    const dueRecords = await customDomains.listDue(now, limit, latest);
    const results = await Promise.all(dueRecords.map(checkRecord));
    return results.filter(Boolean).length;
  };
};
