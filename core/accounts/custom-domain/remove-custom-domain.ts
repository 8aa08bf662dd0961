import { message, TRUE } from '../../answer-schemas.ts';
import { object, type TypeOf } from '../../schema.ts';
import type { CustomDomain } from '../account.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { type Pending, withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { encodeClaim } from './domain-record.ts';
import { withDomain } from './former-domains.ts';

/** The first step of releasing a domain, in the account's write: the task and the audit row; empty without a domain. */
export const releaseEntries = (
  { entries }: Pick<Deps, 'entries'>,
  customDomain: CustomDomain | null,
  userId: string,
  caller: Caller,
): readonly Pending[] =>
  customDomain === null
    ? []
    : [
        entries.task('free-domain', encodeClaim(customDomain)),
        entries.ownAudit(userId, 'domain.removed', caller, {
          before: { domain: customDomain.domain, verified: customDomain.verified },
        }),
      ];

/**
 * The second step: tries to free the domain before the response. If that fails, the task of the first step frees it later.
 * Others may claim the domain even before: a claim that no account names blocks nobody after `domainClaimSettles`.
 */
export const freeDomain = async (deps: Deps, customDomain: CustomDomain | null): Promise<void> => {
  if (customDomain === null) return;
  await makeDomainRecords(deps)
    .free(customDomain)
    .catch((error: unknown) => deps.log.warn('domain.not_freed_yet', { error }));
};

export const customDomainRemoved = object({
  success: TRUE,
  message: message('The domain is removed and free again.'),
});
export type RemoveCustomDomainResult = TypeOf<typeof customDomainRemoved>;

export const makeRemoveCustomDomain = (deps: Deps) => {
  const { changeUser, clock, policy } = deps;

  return async ({ user: { id } }: Principal, caller: Caller): Promise<RemoveCustomDomainResult> => {
    const dropped = await changeUser<CustomDomain | null>(id, (account) => {
      const customDomain = account.customDomain;
      if (customDomain === null) return { next: null, answer: null };
      const next = withDomain(account, null, clock.now(), policy);
      return {
        next: withPending(next, ...releaseEntries(deps, customDomain, id, caller)),
        answer: customDomain,
      };
    });
    await freeDomain(deps, dropped);
    return {
      success: true,
      message: dropped === null ? 'No domain was set.' : 'The domain is removed and free again.',
    };
  };
};
