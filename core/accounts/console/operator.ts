import { type OperatorRole, operatorRole } from '../entitlement.ts';
import { restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { acceptReason, type Operator } from '../operate/act.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';

/** What an operator says of an act. */
export interface SaidOfAct {
  /** Why; the audit log keeps it. */
  readonly reason: string;
  /** The user's `updatedAt`, ISO 8601, as the operator saw it. */
  readonly seen?: string;
}

/** Lets an operator act whose role is enough, and who proved lately who they are. */
export const makeOperatorOf = (kit: Kit) => {
  const { log } = kit;
  const needFresh = makeNeedFresh(kit);

  return async (who: Identity, role: OperatorRole, act: SaidOfAct, caller: Caller): Promise<Operator> => {
    const has = operatorRole(who.user.entitlements);
    // A founder may do what a developer may.
    if (has === undefined || (role === 'founder' && has !== 'founder')) {
      const reason = 'operators_only';
      log.info('access.refused', { userId: who.user.id, reason, ...calledFrom(caller) });
      throw restricted(reason);
    }
    await needFresh(who, caller);
    // Before anything is done: some acts have an effect elsewhere before their row is written.
    const reason = acceptReason(act.reason);
    const { seen } = act;
    return { actor: who.user.id, reason, caller, ...(seen !== undefined && { seen }) };
  };
};
