import type { Account, CustomDomain } from '../account.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/entitle.ts';
import { restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { AccountsPolicy } from '../policy.ts';
import { verificationName } from './name.ts';

/** The TXT record that shows that the domain is the user's. */
export interface DomainVerification {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

export interface CustomDomainView {
  readonly customDomain: string | null;
  readonly customDomainVerified: boolean;
  readonly hasCustomDomain: boolean;
  /** There while a domain is set and not verified. */
  readonly verification?: DomainVerification;
}

export const verificationOf = ({ domain, token }: CustomDomain): DomainVerification => ({
  type: 'TXT',
  name: verificationName(domain),
  value: token,
});

/** Whether the tier in effect comes with a custom domain. A user who loses it keeps the domain, out of sight. */
export const mayHaveDomain = (
  account: Account,
  { customDomainTier, selfEntitlement }: Pick<AccountsPolicy, 'customDomainTier' | 'selfEntitlement'>,
): boolean => effectiveAccess(entitlementOf(account, SERVICE), selfEntitlement).tier === customDomainTier;

/** Throws `forbidden` (`enterprise_only`). */
export const needDomainRight = (account: Account, policy: AccountsPolicy): void => {
  if (!mayHaveDomain(account, policy)) throw restricted('enterprise_only');
};

/** The caller's custom domain. Throws `forbidden` (`enterprise_only`). */
export const makeShowCustomDomain =
  ({ policy }: Kit) =>
  ({ account }: Identity): CustomDomainView => {
    needDomainRight(account, policy);
    const own = account.customDomain;
    const shown = {
      customDomain: own?.domain ?? null,
      customDomainVerified: own?.verified ?? false,
      hasCustomDomain: own !== null,
    };
    return own === null || own.verified ? shown : { ...shown, verification: verificationOf(own) };
  };
