import { message, TRUE } from '../../answer-schemas.ts';
import { object, type TypeOf, text } from '../../schema.ts';
import type { CustomDomain } from '../account.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import { findOwnAccount } from '../own-account.ts';
import type { Principal } from '../principal.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { acceptDomain, DOMAIN, DOMAIN_EXAMPLE } from './domain-name.ts';
import { requireDomainRight } from './domain-right.ts';
import { claimedSince, withDomain } from './former-domains.ts';
import { freeDomain, releaseEntries } from './remove-custom-domain.ts';
import { domainVerification, verificationOf } from './show-custom-domain.ts';

export const setCustomDomainInput = object({
  domain: text({ maxLength: 1_000, description: 'Domain name', examples: [DOMAIN_EXAMPLE] }),
});
export type SetCustomDomainInput = TypeOf<typeof setCustomDomainInput>;

export const customDomainSet = object({
  success: TRUE,
  domain: DOMAIN,
  message: message('The domain is set. Add the TXT record to its DNS, then have it verified.'),
  verification: domainVerification,
});
export type SetCustomDomainResult = TypeOf<typeof customDomainSet>;

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
    // nobody after `domainClaimSettles`.
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
