import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/change-entitlements.ts';
import { restricted } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { User } from '../principal.ts';

/** Whether the tier in effect includes a custom domain. A user who loses the tier keeps the domain, hidden. */
export const mayHaveDomain = (
  user: Pick<User, 'entitlements'>,
  { customDomainTier, selfEntitlement }: Pick<AccountsPolicy, 'customDomainTier' | 'selfEntitlement'>,
): boolean => effectiveAccess(entitlementOf(user, SERVICE), selfEntitlement).tier === customDomainTier;

/** Throws `forbidden` (`enterprise_only`). */
export const requireDomainRight = (user: Pick<User, 'entitlements'>, policy: AccountsPolicy): void => {
  if (!mayHaveDomain(user, policy)) throw restricted('enterprise_only');
};
