import type { CustomDomain } from '../account.ts';
import type { Deps } from '../deps.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/set-entitlement.ts';
import { restricted } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { Principal, User } from '../principal.ts';
import { verificationName } from './domain-name.ts';

/** The TXT record that proves control of the domain. */
export interface DomainVerification {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

export interface CustomDomainView {
  readonly customDomain: string | null;
  readonly customDomainVerified: boolean;
  readonly hasCustomDomain: boolean;
  /** Present while the domain is set and not verified. */
  readonly verification?: DomainVerification;
}

export const verificationOf = ({ domain, token }: CustomDomain): DomainVerification => ({
  type: 'TXT',
  name: verificationName(domain),
  value: token,
});

/** Whether the tier in effect includes a custom domain. A user who loses the tier keeps the domain, hidden. */
export const mayHaveDomain = (
  user: Pick<User, 'entitlements'>,
  { customDomainTier, selfEntitlement }: Pick<AccountsPolicy, 'customDomainTier' | 'selfEntitlement'>,
): boolean => effectiveAccess(entitlementOf(user, SERVICE), selfEntitlement).tier === customDomainTier;

/** Throws `forbidden` (`enterprise_only`). */
export const requireDomainRight = (user: Pick<User, 'entitlements'>, policy: AccountsPolicy): void => {
  if (!mayHaveDomain(user, policy)) throw restricted('enterprise_only');
};

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
