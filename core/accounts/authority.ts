import { type Account, isBanned, isDisabled } from './account.ts';
import { type OperatorRole, operatorRole } from './entitlement.ts';
import type { User } from './identity.ts';
import type { AccountsPolicy } from './policy.ts';

/**
 * Who changes an entitlement, and so what they may change. `own`: one's own entitlement; operator keys that the change
 * leaves out stay as they are.
 */
export type Authority =
  /** The user's own post. */
  | { readonly kind: 'self' }
  /** The internal secret, or the command line. */
  | { readonly kind: 'internal'; readonly own?: boolean }
  | { readonly kind: 'operator'; readonly role: OperatorRole; readonly own?: boolean };

/** Whether an operator lacks the second factor without which no operator may act. */
export const lacksSecondFactor = (user: User, policy: AccountsPolicy): boolean =>
  policy.operatorsNeedSecondFactor && !user.hasTwoFactor;

/**
 * On whose authority a logged-in caller acts upon entitlements, with or without the internal secret. Operators who lack
 * a second factor that they need are users like others.
 */
export const authorityOf = (user: User, policy: AccountsPolicy, internal: boolean): Authority => {
  if (internal) return { kind: 'internal' };
  const role = lacksSecondFactor(user, policy) ? undefined : operatorRole(user.entitlements);
  return role === undefined ? { kind: 'self' } : { kind: 'operator', role };
};

/** Why an account is not let into the console; undefined where it is. */
export const consoleRefusal = (account: Account, now: number) => {
  if (isBanned(account, now)) return 'account_banned';
  if (isDisabled(account, now)) return 'account_disabled';
  if (operatorRole(account.entitlements) === undefined) return 'operators_only';
  return account.twoFactor === null ? 'two_factor_required' : undefined;
};

/** Whether the authority may appoint and dismiss operators. */
export const mayChangeOperators = (authority: Authority): boolean =>
  authority.kind === 'internal' || (authority.kind === 'operator' && authority.role === 'founder');
