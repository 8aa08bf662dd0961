import { type Account, restrictionOf } from '../account.ts';
import { type OperatorRole, operatorRole } from '../entitlement.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { User } from '../principal.ts';

/**
 * The authority of a caller over entitlements. `own`: the caller changes their own entitlement; as for `self`, flags that make
 * somebody an operator stay unchanged where the change omits them.
 */
export type Authority =
  /** A user who changes their own entitlement. */
  | { readonly kind: 'self' }
  /** The internal secret, or the command line. */
  | { readonly kind: 'internal'; readonly own?: boolean }
  | { readonly kind: 'operator'; readonly role: OperatorRole; readonly own?: boolean };

const lacksSecondFactor = (user: User, policy: AccountsPolicy): boolean =>
  policy.operatorsNeedSecondFactor && !user.hasTwoFactor;

/** The reason why somebody may not act as an operator, apart from their second factor; undefined if they may. */
const roleRefusal = (user: Pick<Account, 'banned' | 'disabled' | 'entitlements'>, now: number) =>
  restrictionOf(user, now) ?? (operatorRole(user.entitlements) === undefined ? 'operators_only' : undefined);

/** The reason why a user may not act as an operator by an access token; undefined if they may. */
export const operatorRefusal = (user: User, policy: AccountsPolicy, now: number) =>
  roleRefusal(user, now) ?? (lacksSecondFactor(user, policy) ? 'second_factor_required' : undefined);

/** The authority of a signed-in caller. Operators who lack a required second factor have that of ordinary users. */
export const authorityOf = (user: User, policy: AccountsPolicy, internal: boolean): Authority => {
  if (internal) return { kind: 'internal' };
  const role = lacksSecondFactor(user, policy) ? undefined : operatorRole(user.entitlements);
  return role === undefined ? { kind: 'self' } : { kind: 'operator', role };
};

/** The reason why an account may not enter the console, which needs a second factor under any policy; undefined if it may. */
export const consoleRefusal = (account: Account, now: number) =>
  roleRefusal(account, now) ?? (account.twoFactor === null ? 'two_factor_required' : undefined);

export const mayChangeOperators = (authority: Authority): boolean =>
  authority.kind === 'internal' || (authority.kind === 'operator' && authority.role === 'founder');
