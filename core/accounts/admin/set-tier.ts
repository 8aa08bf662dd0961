import { integer, nullable, object, oneOf, optional, type TypeOf, text } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import {
  type Entitlement,
  type EntitlementView,
  OPERATOR_FLAGS,
  OPERATOR_ROLES,
  type OperatorRole,
  SERVICE,
  viewEntitlement,
} from '../entitlement.ts';
import type { EntitlementChange } from '../entitlements/entitlement-rules.ts';
import { entitlementOf, makeEntitle } from '../entitlements/set-entitlement.ts';
import { makeAddOperatorMails } from '../operators/mail-operators.ts';
import {
  type AdminActionResult,
  acceptOperator,
  actionMembers,
  makeFindUser,
  type Operator,
} from './admin-action.ts';
import { type AdminActionRules, makeChangeByOperator } from './change-by-operator.ts';

const NEW_TIER = text({ maxLength: 64, description: 'One of the setting `TIERS`', examples: ['pro'] });
const limit = (description: string) =>
  optional(
    nullable(
      integer({
        minimum: 0,
        description: `${description}; null: the tier’s own; absent: as it is`,
        examples: [null],
      }),
    ),
  );
const STORAGE_LIMIT = limit('Bytes');
const API_KEY_LIMIT = limit('A number of keys');

export const setTierInput = object({
  tier: NEW_TIER,
  customStorageLimit: STORAGE_LIMIT,
  customApiKeyLimit: API_KEY_LIMIT,
});
/** `customStorageLimit` in bytes. A limit of null is the tier's own; an absent limit stays unchanged. */
export type SetTierInput = TypeOf<typeof setTierInput>;

export const setTierBody = object({
  ...actionMembers,
  tier: NEW_TIER,
  storage: STORAGE_LIMIT,
  apiKeys: API_KEY_LIMIT,
});

/** The input of a request. */
export const readTier = ({ tier, storage, apiKeys }: TypeOf<typeof setTierBody>): SetTierInput => ({
  tier,
  ...(storage !== undefined && { customStorageLimit: storage }),
  ...(apiKeys !== undefined && { customApiKeyLimit: apiKeys }),
});

export const appointBody = object({ ...actionMembers, role: oneOf(OPERATOR_ROLES, { examples: ['dev'] }) });

export interface SetTierResult extends AdminActionResult {
  /** The entitlement in effect; null if there is none. */
  readonly entitlement: EntitlementView | null;
}

/** Changes a user's entitlement in one write with its audit row; `changeOf` returns undefined if nothing changes. */
const makeGrant = (deps: Deps, rules: AdminActionRules) => {
  const change = makeChangeByOperator(deps);
  const findUser = makeFindUser(deps);
  const entitle = makeEntitle(deps);
  const addOperatorMails = makeAddOperatorMails(deps);

  return async (
    user: string,
    by: Operator,
    changeOf: (before: Entitlement | undefined) => EntitlementChange | undefined,
  ): Promise<SetTierResult> => {
    const operator = { ...acceptOperator(by), authority: { kind: 'internal' } } as const;
    return change<SetTierResult>(await findUser(user), by, rules, async (account) => {
      const { id: userId, email } = account;
      const view = (entitlement: Entitlement) =>
        viewEntitlement(userId, entitlement, deps.policy.selfEntitlement);
      const before = entitlementOf(account, SERVICE);
      const entitlementChange = changeOf(before);
      if (entitlementChange === undefined) {
        const entitlement = before === undefined ? null : view(before);
        return { next: null, answer: { userId, email, changed: false, entitlement } };
      }
      const { next, entitlement } = entitle(
        account,
        { service: SERVICE, ...entitlementChange },
        operator,
        operator.caller,
      );
      return {
        next: next && (await addOperatorMails(account, next, operator)),
        answer: { userId, email, changed: next !== null, entitlement: view(entitlement) },
      };
    });
  };
};

export const makeSetTier = (deps: Deps, rules: AdminActionRules) => {
  const grant = makeGrant(deps, rules);
  return (user: string, input: SetTierInput, by: Operator): Promise<SetTierResult> =>
    grant(user, by, () => input);
};

export const makeClearTier = (deps: Deps, rules: AdminActionRules) => {
  const grant = makeGrant(deps, rules);
  return (user: string, by: Operator): Promise<SetTierResult> =>
    grant(user, by, (before) => (before?.grant == null ? undefined : { tier: null }));
};

export const makeAppoint = (deps: Deps, rules: AdminActionRules) => {
  const grant = makeGrant(deps, rules);
  return (user: string, role: OperatorRole, by: Operator): Promise<SetTierResult> =>
    grant(user, by, (before) => {
      const flags = before?.accessFlags ?? {};
      if (flags.isOperatorTeam === true && flags.operatorTeamRole === role) return undefined;
      return { accessFlags: { ...flags, isOperatorTeam: true, operatorTeamRole: role } };
    });
};

export const makeDismiss = (deps: Deps, rules: AdminActionRules) => {
  const grant = makeGrant(deps, rules);
  return (user: string, by: Operator): Promise<SetTierResult> =>
    grant(user, by, (before) => {
      const flags = before?.accessFlags ?? {};
      if (!OPERATOR_FLAGS.some((key) => Object.hasOwn(flags, key))) return undefined;
      const remainingFlags = Object.entries(flags).filter(
        ([key]) => !OPERATOR_FLAGS.some((flag) => flag === key),
      );
      return { accessFlags: Object.fromEntries(remainingFlags) };
    });
};
