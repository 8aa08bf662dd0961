import { makeCalls } from '../../check-arguments.ts';
import { oneOf, optional, TEXT } from '../../schema.ts';
import { caller, who } from '../argument-schemas.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { OPERATOR_ROLES, type OperatorRole, operatorRole } from '../entitlement.ts';
import { refuseAccess } from '../errors.ts';
import { consoleRefusal } from '../operators.ts';
import { type Principal, userOf, userSessionOf } from '../principal.ts';
import { makeReadCookie } from '../sessions/authenticate.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { type AdminActionInput, acceptReason, adminActionInput, type Operator } from './admin-action.ts';

/**
 * Checks that the operator has the required role, in a session of the console, and authenticated recently. An embedding
 * app may have authenticated the operator by an access token, which does not suffice: other services see such tokens.
 */
const makeOperatorOf = (deps: Deps) => {
  const { log } = deps;

  return async (
    principal: Principal,
    role: OperatorRole,
    action: AdminActionInput,
    caller: Caller,
  ): Promise<Operator> => {
    const actualRole = operatorRole(principal.user.entitlements);
    // A founder may do what a developer may.
    if (actualRole === undefined || (role === 'founder' && actualRole !== 'founder'))
      throw refuseAccess(log, principal.user.id, 'operators_only', caller);
    if (principal.session.kind !== 'console')
      throw refuseAccess(log, principal.user.id, 'cookie_needed', caller);
    await requireFresh(deps, principal, caller);
    // Validated before the action: some actions have external effects before their row is written.
    const reason = acceptReason(action.reason);
    const { seen } = action;
    return { actor: principal.user.id, reason, caller, ...(seen !== undefined && { seen }) };
  };
};

/** Reads the role and the second factor from the store at each call. See decision 0096. */
const makeAuthenticateConsole = (deps: Deps) => {
  const { clock, log } = deps;
  const readCookie = makeReadCookie(deps, 'console');

  return async (value: string, requiredStatus: 'any' | 'operator', caller?: Caller): Promise<Principal> => {
    const { account, session, claims, cookie } = await readCookie(value, caller);
    const refusal = requiredStatus === 'any' ? undefined : consoleRefusal(account, clock.now());
    if (refusal !== undefined) throw refuseAccess(log, account.id, refusal, caller);
    return { user: userOf(account), session: userSessionOf(session), claims, cookie };
  };
};

/**
 * Calls of the operators' console. Any sign-in call opens a console session if the caller's `session` is `console`; the
 * call then throws `forbidden` (`operators_only`, `two_factor_required`) for users who are not operators with an active
 * second factor.
 */
export interface ConsoleCalls {
  /**
   * Authenticates the caller by a console session's cookie, with current data from the store. Throws `unauthenticated`
   * (`invalid_token`, `cookie_replaced`) and, unless `requiredStatus` is `any`, `forbidden` (`account_banned`,
   * `account_disabled`, `operators_only`, `two_factor_required`).
   */
  authenticate(value: string, requiredStatus: 'any' | 'operator', caller?: Caller): Promise<Principal>;
  /**
   * The caller as an `Operator`, for the calls of `Admin`. Throws `forbidden` (`operators_only` without the role,
   * `cookie_needed` for a session that is not of the console, `fresh_authentication_needed` without a recent
   * authentication) and `invalid` (`invalid_reason`).
   */
  operator(
    principal: Principal,
    role: OperatorRole,
    action: AdminActionInput,
    caller: Caller,
  ): Promise<Operator>;
}

export const makeConsoleCalls = (deps: Deps): ConsoleCalls =>
  makeCalls<Deps, ConsoleCalls>(deps, {
    authenticate: [
      makeAuthenticateConsole,
      { value: TEXT, requiredStatus: oneOf(['any', 'operator']), caller: optional(caller) },
    ],
    operator: [
      makeOperatorOf,
      { principal: who, role: oneOf(OPERATOR_ROLES), action: adminActionInput, caller },
    ],
  });
