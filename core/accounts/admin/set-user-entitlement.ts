import { isId } from '../../ids.ts';
import { object, optional, type TypeOf, text } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { EntitlementAnswer } from '../entitlement.ts';
import { makeSetEntitlement, SET_ENTITLEMENT } from '../entitlements/change-entitlements.ts';
import { accountNotFound, refuseAccess, restricted } from '../errors.ts';
import {
  authorityOf,
  isFounder,
  type JudgeChange,
  makeGuardFounders,
  operatorRefusal,
  ownAccount,
} from '../operators.ts';
import type { Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { acceptReason, REASON_FACTS } from './admin-action.ts';

export const setUserEntitlementInput = object({
  ...SET_ENTITLEMENT,
  reason: optional(text({ ...REASON_FACTS, examples: ['A new colleague'] })),
});
/** A change of a user's entitlement, and its reason, which the audit log records. */
export type SetUserEntitlementInput = TypeOf<typeof setUserEntitlementInput>;

/**
 * Changes a user's entitlement, on behalf of an operator or of a caller with the internal secret (`who` undefined). The
 * operator's role is checked here, since an embedding app may pass any user whom it authenticated. An operator who changes
 * operator roles must have authenticated recently: unlike the console, this accepts any session.
 */
export const makeSetUserEntitlement = (deps: Deps) => {
  const { accounts, clock, log, policy } = deps;
  const setEntitlement = makeSetEntitlement(deps);
  const guardFounders = makeGuardFounders(deps);

  return async (
    who: Principal | undefined,
    userId: string,
    { reason: rawReason, ...input }: SetUserEntitlementInput,
    caller: Caller,
  ): Promise<EntitlementAnswer> => {
    if (!isId(userId)) throw accountNotFound();
    const reason = rawReason === undefined ? undefined : acceptReason(rawReason);
    const details = { caller, address: caller.address, ...(reason !== undefined && { reason }) };
    if (who === undefined) {
      const by = { authority: { kind: 'internal' }, actor: 'internal', means: 'internal secret' } as const;
      return setEntitlement(userId, input, { ...by, ...details });
    }
    const actor = who.user.id;
    const refusal = operatorRefusal(who.user, policy, clock.now());
    if (refusal !== undefined) throw refuseAccess(log, actor, refusal, caller);
    const authority = authorityOf(who.user, policy);
    const by = { authority, actor, means: 'access token', ...details } as const;
    // The flags hold the operator role: no other change can remove a founder.
    const target = input.accessFlags === undefined ? undefined : await accounts.find(userId);
    const isTargetFounder = target !== undefined && isFounder(target, clock.now());
    return guardFounders(isTargetFounder, actor, (keepFounder) => {
      /** Called only for a change of the operator role. */
      const judgeOperators: JudgeChange = async (before, after) => {
        if (before.id === actor) return { next: null, refuse: ownAccount() };
        // The request's copy of the operator may be a second old.
        const operator = await accounts.find(actor);
        if (operator === undefined || !isFounder(operator, clock.now()))
          return { next: null, refuse: restricted('operators_only') };
        await requireFresh(deps, who, caller, policy.operatorsNeedSecondFactor);
        return keepFounder(before, after);
      };
      return setEntitlement(userId, input, by, judgeOperators);
    });
  };
};
