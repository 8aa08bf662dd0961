import { message, TRUE } from '../../answer-schemas.ts';
import { CoreError, invalid } from '../../errors.ts';
import { object, type TypeOf } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import { makeDomainRecords } from './change-domain-record.ts';
import { DOMAIN, verificationName } from './domain-name.ts';
import { requireDomainRight } from './domain-right.ts';

const noDomain = () => new CoreError('missing', 'domain_not_set', 'No custom domain is set.');

/**
 * Stores in the account whether its domain with this token is verified, with the audit row. False if the account has
 * another domain or token by now, or no domain.
 */
export const setDomainVerified = (
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

export const customDomainVerified = object({
  success: TRUE,
  domain: DOMAIN,
  message: message('The domain is verified.'),
});
export type VerifyCustomDomainResult = TypeOf<typeof customDomainVerified>;

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
