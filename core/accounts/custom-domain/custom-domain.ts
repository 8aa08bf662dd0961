import { message, TRUE } from '../../answer-schemas.ts';
import { constant, flag, nullable, object, optional, type TypeOf, text } from '../../schema.ts';
import type { CustomDomain } from '../account.ts';
import type { Caller } from '../caller.ts';
import { findOwnAccount } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { type Pending, withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { acceptDomain, DOMAIN, DOMAIN_EXAMPLE, verificationName } from './domain-name.ts';
import { encodeClaim } from './domain-record.ts';
import { claimedSince, requireDomainRight, withDomain } from './domain-rules.ts';

const domainVerification = object(
  {
    type: constant('TXT'),
    name: text({ examples: [`_drop-verification.${DOMAIN_EXAMPLE}`] }),
    value: text({ examples: ['q3Zx0o3l2l8d7cFQn1c9m5y5u3gq1r7v0tJ8w2kYbXo'] }),
  },
  { title: 'DomainVerification', description: 'The TXT record to add' },
);
/** The TXT record that proves control of the domain. */
export type DomainVerification = TypeOf<typeof domainVerification>;

export const customDomainView = object({
  customDomain: nullable(text({ examples: [DOMAIN_EXAMPLE] })),
  customDomainVerified: flag({ description: 'Whether its TXT record was found', examples: [false] }),
  hasCustomDomain: flag({ description: 'Whether one is set', examples: [true] }),
  verification: optional(domainVerification),
});
/** `verification` is present while the domain is set and not verified. */
export type CustomDomainView = TypeOf<typeof customDomainView>;

const verificationOf = ({ domain, token }: CustomDomain): DomainVerification => ({
  type: 'TXT',
  name: verificationName(domain),
  value: token,
});

export const makeShowCustomDomain =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal): CustomDomainView => {
    requireDomainRight(user, policy);
    const customDomain = user.customDomain;
    const view = {
      customDomain: customDomain?.domain ?? null,
      customDomainVerified: customDomain?.verified ?? false,
      hasCustomDomain: customDomain !== null,
    };
    return customDomain === null || customDomain.verified
      ? view
      : { ...view, verification: verificationOf(customDomain) };
  };

/** The first step of releasing a domain, in the account's write: the task and the audit row; empty without a domain. */
const releaseEntries = (
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
 * Others may claim the domain even before: a claim that no account names blocks nobody after `domainClaimGraceMs`.
 */
const freeDomain = async (deps: Deps, customDomain: CustomDomain | null): Promise<void> => {
  if (customDomain === null) return;
  await makeDomainRecords(deps)
    .free(customDomain)
    .catch((error: unknown) => deps.log.warn('domain.not_freed_yet', { error }));
};

export const removeCustomDomainResult = object({
  success: TRUE,
  message: message('The domain is removed and free again.'),
});
export type RemoveCustomDomainResult = TypeOf<typeof removeCustomDomainResult>;

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

export const setCustomDomainInput = object({
  domain: text({ maxLength: 1_000, description: 'Domain name', examples: [DOMAIN_EXAMPLE] }),
});
export type SetCustomDomainInput = TypeOf<typeof setCustomDomainInput>;

export const setCustomDomainResult = object({
  success: TRUE,
  domain: DOMAIN,
  message: message('The domain is set. Add the TXT record to its DNS, then have it verified.'),
  verification: domainVerification,
});
export type SetCustomDomainResult = TypeOf<typeof setCustomDomainResult>;

const resultOf = (customDomain: CustomDomain): SetCustomDomainResult => ({
  success: true,
  domain: customDomain.domain,
  message: customDomain.verified
    ? 'The domain is set and verified.'
    : 'The domain is set. Add the TXT record to its DNS, then have it verified.',
  verification: verificationOf(customDomain),
});

export const makeSetCustomDomain = (deps: Deps) => {
  const { changeUser, clock, domains, entries, ownHost, policy, random } = deps;
  const records = makeDomainRecords(deps);

  return async (
    { user }: Principal,
    input: SetCustomDomainInput,
    caller: Caller,
  ): Promise<SetCustomDomainResult> => {
    requireDomainRight(user, policy);
    const { id } = user;
    const domain = acceptDomain(domains, ownHost(), input.domain);
    const account = await findOwnAccount(deps, { user });
    const current = account.customDomain;
    if (current?.domain === domain) {
      // Fails if another user has verified the domain meanwhile.
      await records.claim(id, current);
      return resultOf(current);
    }
    const claimedAt = claimedSince(account, domain, clock.now(), policy);
    const requested: CustomDomain = { domain, token: random.text(32), verified: false, claimedAt };
    // The domain's record is written before the account. A crash in between leaves a claim that no account names; it blocks
    // nobody after `domainClaimGraceMs`.
    await records.claim(id, requested);
    const { active, dropped } = await changeUser<{ active: CustomDomain; dropped: CustomDomain | null }>(
      id,
      (latest) => {
        const before = latest.customDomain;
        // A concurrent call set the same domain: this call's claim is redundant.
        if (before?.domain === domain) return { next: null, answer: { active: before, dropped: requested } };
        const row = entries.ownAudit(id, 'domain.claimed', caller, { after: { domain } });
        const next = withDomain(latest, requested, clock.now(), policy);
        return {
          next: withPending(next, ...releaseEntries(deps, before, id, caller), row),
          answer: { active: requested, dropped: before },
        };
      },
    );
    await freeDomain(deps, dropped);
    return resultOf(active);
  };
};
