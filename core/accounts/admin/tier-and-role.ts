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
import { entitlementOf, makeEntitle } from '../entitlements/change-entitlements.ts';
import type { EntitlementChange } from '../entitlements/entitlement-rules.ts';
import { makeAddOperatorMails } from '../operators.ts';
import {
  type AdminActionResult,
  type AdminActionRules,
  acceptOperator,
  actionMembers,
  makeChangeByOperator,
  type Operator,
} from './admin-action.ts';
import { findUser } from './find-user.ts';

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

/** The input of the call, from the body of a request. */
export const readTier = ({ tier, storage, apiKeys }: TypeOf<typeof setTierBody>): SetTierInput => ({
  tier,
  ...(storage !== undefined && { customStorageLimit: storage }),
  ...(apiKeys !== undefined && { customApiKeyLimit: apiKeys }),
});

export const appointBody = object({ ...actionMembers, role: oneOf(OPERATOR_ROLES, { examples: ['dev'] }) });

export interface SetTierResult extends AdminActionResult {
  /** The entitlement after the action; null if the user has none. */
  readonly entitlement: EntitlementView | null;
}

/**
 * Makes an action that changes a user's entitlement in one write with its audit row, which `entitle` adds. `changeOf`
 * returns undefined if nothing is to change: even a change without effect would give an entitlement to a user who has none.
 */
const defineEntitlementAction =
  <Input>(changeOf: (before: Entitlement | undefined, input: Input) => EntitlementChange | undefined) =>
  (deps: Deps, rules: AdminActionRules) => {
    const change = makeChangeByOperator(deps);
    const entitle = makeEntitle(deps);
    const addOperatorMails = makeAddOperatorMails(deps);

    return async (user: string, by: Operator, input: Input): Promise<SetTierResult> => {
      // Full authority: the console has checked the operator's role, and commands and embedding apps may do everything.
      const operator = { ...acceptOperator(by), authority: { kind: 'internal' } } as const;
      return change<SetTierResult>(await findUser(deps, user), by, rules, async (account) => {
        const { id: userId, email } = account;
        const view = (entitlement: Entitlement) =>
          viewEntitlement(userId, entitlement, deps.policy.selfEntitlement);
        const before = entitlementOf(account, SERVICE);
        const entitlementChange = changeOf(before, input);
        if (entitlementChange === undefined) {
          const entitlement = before === undefined ? null : view(before);
          return { next: null, answer: { userId, email, changed: false, entitlement } };
        }
        const { next, entitlement } = entitle(account, { service: SERVICE, ...entitlementChange }, operator);
        return {
          next: next && (await addOperatorMails(account, next, operator)),
          answer: { userId, email, changed: next !== null, entitlement: view(entitlement) },
        };
      });
    };
  };

export const setTier = defineEntitlementAction((_, input: SetTierInput) => input);

/** A null tier ends the whole grant. */
export const clearTier = defineEntitlementAction((before) =>
  before?.grant == null ? undefined : { tier: null },
);

export const appoint = defineEntitlementAction((before, role: OperatorRole) => {
  const flags = before?.accessFlags ?? {};
  if (flags.isOperatorTeam === true && flags.operatorTeamRole === role) return undefined;
  return { accessFlags: { ...flags, isOperatorTeam: true, operatorTeamRole: role } };
});

export const dismiss = defineEntitlementAction((before) => {
  const flags = before?.accessFlags ?? {};
  if (!OPERATOR_FLAGS.some((key) => Object.hasOwn(flags, key))) return undefined;
  const remainingFlags = Object.entries(flags).filter(
    ([key]) => !OPERATOR_FLAGS.some((flag) => flag === key),
  );
  return { accessFlags: Object.fromEntries(remainingFlags) };
});
