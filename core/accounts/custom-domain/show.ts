import type { CustomDomain } from '../account.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/entitle.ts';
import { restricted } from '../errors.ts';
import type { Identity, User } from '../identity.ts';
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
  user: Pick<User, 'entitlements'>,
  { customDomainTier, selfEntitlement }: Pick<AccountsPolicy, 'customDomainTier' | 'selfEntitlement'>,
): boolean => effectiveAccess(entitlementOf(user, SERVICE), selfEntitlement).tier === customDomainTier;

/** Throws `forbidden` (`enterprise_only`). */
export const needDomainRight = (user: Pick<User, 'entitlements'>, policy: AccountsPolicy): void => {
  if (!mayHaveDomain(user, policy)) throw restricted('enterprise_only');
};

export const makeShowCustomDomain =
  ({ policy }: Pick<Kit, 'policy'>) =>
  ({ user }: Identity): CustomDomainView => {
    needDomainRight(user, policy);
    const own = user.customDomain;
    const shown = {
      customDomain: own?.domain ?? null,
      customDomainVerified: own?.verified ?? false,
      hasCustomDomain: own !== null,
    };
    return own === null || own.verified ? shown : { ...shown, verification: verificationOf(own) };
  };
