import {
  type Entitlement,
  type EntitlementView,
  OPERATOR_FLAGS,
  type OperatorRole,
  SERVICE,
  viewEntitlement,
} from '../entitlement.ts';
import type { EntitlementChange } from '../entitlements/change-entitlement.ts';
import { entitlementOf, makeEntitle } from '../entitlements/entitle.ts';
import type { Kit } from '../kit.ts';
import { type Acted, acceptOperator, makeFindUser, type Operator } from './act.ts';
import { makeChangeByOperator } from './rules/change.ts';

export interface SetTier {
  readonly tier: string;
  /** Bytes; null: the tier's own. Stays as it is when absent. */
  readonly customStorageLimit?: number | null;
  readonly customApiKeyLimit?: number | null;
}

export interface Granted extends Acted {
  /** The one in effect; null if there is none. */
  readonly entitlement: EntitlementView | null;
}

/** Changes a user's entitlement in one write with its audit row; `changeOf` gives undefined when it is so already. */
const makeGrant = (kit: Kit, { own = true }: { readonly own?: boolean } = {}) => {
  const change = makeChangeByOperator(kit);
  const findUser = makeFindUser(kit);
  const entitle = makeEntitle(kit);

  return async (
    user: string,
    by: Operator,
    changeOf: (before: Entitlement | undefined) => EntitlementChange | undefined,
  ): Promise<Granted> => {
    const who = { ...acceptOperator(by), authority: { kind: 'internal' } } as const;
    return change<Granted>(await findUser(user), by, { action: 'entitlement.changed', own }, (account) => {
      const { id: userId, email } = account;
      const view = (one: Entitlement) => viewEntitlement(userId, one, kit.policy.selfEntitlement);
      const before = entitlementOf(account, SERVICE);
      const wanted = changeOf(before);
      if (wanted === undefined) {
        const entitlement = before === undefined ? null : view(before);
        return { next: null, answer: { userId, email, changed: false, entitlement } };
      }
      const { next, entitlement } = entitle(account, { service: SERVICE, ...wanted }, who, who.caller);
      return { next, answer: { userId, email, changed: next !== null, entitlement: view(entitlement) } };
    });
  };
};

export const makeSetTier = (kit: Kit) => {
  const grant = makeGrant(kit);
  return (user: string, input: SetTier, by: Operator): Promise<Granted> => grant(user, by, () => input);
};

export const makeClearTier = (kit: Kit) => {
  const grant = makeGrant(kit);
  return (user: string, by: Operator): Promise<Granted> =>
    grant(user, by, (before) => (before?.grant == null ? undefined : { tier: null }));
};

export const makeAppoint = (kit: Kit) => {
  const grant = makeGrant(kit, { own: false });
  return (user: string, role: OperatorRole, by: Operator): Promise<Granted> =>
    grant(user, by, (before) => {
      const flags = before?.accessFlags ?? {};
      if (flags.isOperatorTeam === true && flags.operatorTeamRole === role) return undefined;
      return { accessFlags: { ...flags, isOperatorTeam: true, operatorTeamRole: role } };
    });
};

export const makeDismiss = (kit: Kit) => {
  const grant = makeGrant(kit, { own: false });
  return (user: string, by: Operator): Promise<Granted> =>
    grant(user, by, (before) => {
      const flags = before?.accessFlags ?? {};
      if (!OPERATOR_FLAGS.some((key) => Object.hasOwn(flags, key))) return undefined;
      const kept = Object.entries(flags).filter(([key]) => !OPERATOR_FLAGS.some((one) => one === key));
      return { accessFlags: Object.fromEntries(kept) };
    });
};
