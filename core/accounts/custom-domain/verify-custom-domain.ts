import { CoreError, invalid } from '../../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeDomainRecords } from './change-record.ts';
import { verificationName } from './name.ts';
import { needDomainRight } from './show.ts';

const noDomain = () => new CoreError('missing', 'domain_not_set', 'No custom domain is set.');

const notVerified = (domain: string) =>
  invalid(
    'domain_not_verified',
    `The TXT record of ${verificationName(domain)} is not there yet, or holds another value.`,
  );

/**
 * Writes into the account that its domain with this token is verified, or no longer, with the audit row. False when the
 * account has another domain by now, or none.
 */
export const makeMarkDomain =
  ({ accounts, change, clock, entries }: Pick<Kit, 'accounts' | 'change' | 'clock' | 'entries'>) =>
  (
    userId: string,
    token: string,
    verified: boolean,
    by: { readonly actor: string; readonly reason?: string; readonly caller: Caller | null },
  ): Promise<boolean> =>
    change(
      () => accounts.find(userId),
      (account) => {
        const own = account?.customDomain;
        if (account === undefined || own?.token !== token) return { next: null, answer: false };
        if (own.verified === verified) return { next: null, answer: true };
        const row = entries.audit({
          action: verified ? 'domain.verified' : 'domain.unverified',
          target: userId,
          before: { domain: own.domain, verified: own.verified },
          after: { domain: own.domain, verified },
          ...by,
        });
        const next = { ...account, customDomain: { ...own, verified }, updatedAt: clock.now() };
        return { next: withPending(next, row), answer: true };
      },
    );

export const makeVerifyCustomDomain = (kit: Kit) => {
  const { dns, policy } = kit;
  const records = makeDomainRecords(kit);
  const mark = makeMarkDomain(kit);

  return async (
    { user }: Identity,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly domain: string; readonly message: string }> => {
    needDomainRight(user, policy);
    const { id, customDomain: own } = user;
    if (own === null) throw noDomain();
    const { domain, token } = own;
    if (!own.verified) {
      // Refuses what another user has verified, before anything is asked outside.
      await records.claim(id, own);
      const found = await dns.txt(verificationName(domain));
      if (!found.includes(token)) throw notVerified(domain);
      // First the record, which decides between users, then the account: `change-record.ts` says why.
      await records.own(id, own);
      if (!(await mark(id, token, true, { actor: id, caller }))) {
        await records.free(own);
        throw noDomain();
      }
    }
    return { success: true, domain, message: 'The domain is verified.' };
  };
};
