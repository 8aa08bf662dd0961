import { invalid } from '../../errors.ts';
import type { Digest } from '../../ports.ts';
import { list, object, type TypeOf, text } from '../../schema.ts';
import { type Account, nextChange } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import {
  differInOperatorFlags,
  type Entitlement,
  type EntitlementAnswer,
  effectiveAccess,
  entitlementView,
  type JsonObject,
  newEntitlement,
  operatorRole,
  SERVICE,
  type SelfEntitlement,
  viewEntitlement,
} from '../entitlement.ts';
import { accountNotFound } from '../errors.ts';
import {
  type ActorFacts,
  type Authority,
  authorityOf,
  type JudgeChange,
  makeAddOperatorMails,
  ownAccount,
} from '../operators.ts';
import { type AuditValue, withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import {
  bytesOf,
  changeEntitlement,
  ENTITLEMENT_CHANGE,
  sameAccess,
  sameObject,
} from './entitlement-rules.ts';

export const REQUESTED_SERVICE = text({
  maxLength: 64,
  description: 'The only service: `DROP`',
  examples: ['DROP'],
});

export const SET_ENTITLEMENT = { service: REQUESTED_SERVICE, ...ENTITLEMENT_CHANGE };
export const setEntitlementInput = object(SET_ENTITLEMENT);
/** Omitted fields stay unchanged; a `null` limit is the tier's own, a `null` tier ends the grant. Storage is in bytes. */
export type SetEntitlementInput = TypeOf<typeof setEntitlementInput>;

export const entitlementList = object({ entitlements: list(entitlementView) });
export type EntitlementList = TypeOf<typeof entitlementList>;

/** The author of a change of an entitlement, and its reason. */
export interface ChangedBy extends ActorFacts {
  readonly authority: Authority;
  readonly reason?: string;
  readonly caller: Pick<Caller, 'requestId'> | null;
  /** The author's credential. Rows about changes of operators name it if there is no reason. */
  readonly means?: 'access token' | 'internal secret';
}

/** The only supported service; throws `invalid` (`unsupported_service`) for any other. */
export const supportedService = (service: string): string => {
  if (service === SERVICE) return service;
  throw invalid('unsupported_service', `The service must be ${SERVICE}.`);
};

export const entitlementOf = (
  { entitlements }: Pick<Account, 'entitlements'>,
  service: string,
): Entitlement | undefined => entitlements.find((entitlement) => entitlement.service === service);

/** The account with its access computed from its entitlements, and whether claims counted for it (null without claims). */
const withAccess = (account: Account, self: SelfEntitlement): Account => ({
  ...account,
  access: effectiveAccess(entitlementOf(account, SERVICE), self),
  claimsCounted: account.entitlements.some(({ claim }) => claim !== null) ? self === 'trust' : null,
});

/** The account with this entitlement in place of its entitlement for the same service. */
export const withEntitlement = (
  account: Account,
  entitlement: Entitlement,
  self: SelfEntitlement,
): Account => {
  const others = account.entitlements.filter(({ service }) => service !== entitlement.service);
  return withAccess({ ...account, entitlements: [...others, entitlement] }, self);
};

export const makeListEntitlements =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal, service?: string): EntitlementList => {
    const requestedService = service === undefined ? undefined : supportedService(service);
    const entitlements = user.entitlements.filter(
      (entitlement) => requestedService === undefined || entitlement.service === requestedService,
    );
    return {
      entitlements: entitlements.map((entitlement) =>
        viewEntitlement(user.id, entitlement, policy.selfEntitlement),
      ),
    };
  };

/** The entitlement with author, time and reason in a new grant. */
const withGrantAuthor = (
  before: Entitlement,
  after: Entitlement,
  by: ChangedBy,
  now: number,
): Entitlement => {
  if (after.grant === null || after.grant === before.grant) return after;
  return { ...after, grant: { ...after.grant, by: by.actor, at: now, reason: by.reason ?? null } };
};

/** The reason for the audit row. A change of operators without a reason names the author's credential instead. */
const reasonOf = (before: Entitlement, after: Entitlement, { reason, means }: ChangedBy) =>
  reason === undefined && means !== undefined && differInOperatorFlags(before.accessFlags, after.accessFlags)
    ? `No reason was given (by ${means})`
    : reason;

/** Whether both give the user the same: tier, premium, limits and flags. */
const givesSame = (before: Entitlement | undefined, after: Entitlement, self: SelfEntitlement): boolean =>
  sameAccess(effectiveAccess(before, self), effectiveAccess(after, self)) &&
  (before?.customStorageLimit ?? null) === after.customStorageLimit &&
  (before?.customApiKeyLimit ?? null) === after.customApiKeyLimit &&
  sameObject(before?.accessFlags ?? {}, after.accessFlags);

/**
 * The account with a created or changed entitlement, its audit row and, if it gives something else, its event. `next` is null
 * if nothing changes. Throws as `changeEntitlement` does, and `invalid` (`unsupported_service`).
 */
export const makeEntitle = ({ clock, digest, entries, newId, policy }: Deps) => {
  const { selfEntitlement: self, tiers, entitlementObjectLongest: objectLongest } = policy;
  const rules = { self, tiers, objectLongest };

  return (
    account: Account,
    input: SetEntitlementInput,
    by: ChangedBy,
  ): { readonly next: Account | null; readonly entitlement: Entitlement } => {
    const service = supportedService(input.service);
    const now = clock.now();
    const before = entitlementOf(account, service);
    const initial = before ?? newEntitlement(newId(), service, now);
    const changed = changeEntitlement(initial, input, by.authority, rules, now);
    const after = withGrantAuthor(initial, changed, by, now);
    if (after === before) return { next: null, entitlement: after };
    const reason = reasonOf(initial, after, by);
    const row = entries.audit({
      ...by,
      action: 'entitlement.changed',
      target: account.id,
      // Replaces the reason in `by`, which may be missing.
      ...(reason !== undefined && { reason }),
      ...entitlementFacts(before, after, self, digest),
    });
    // A change with the authority of an operator or of the internal secret renews `updatedAt`: operators who act on the former
    // state are then refused.
    const isSelf = by.authority.kind === 'self';
    const base = isSelf ? account : { ...account, updatedAt: nextChange(account, now) };
    const recorded = withPending(withEntitlement(base, after, self), row);
    const next = givesSame(before, after, self)
      ? recorded
      : withPending(recorded, entries.event('entitlement.changed', account.id));
    return { next, entitlement: after };
  };
};

const changesOperators = (before: Account, after: Account): boolean => {
  const flagsOf = (account: Account) => entitlementOf(account, SERVICE)?.accessFlags ?? {};
  return differInOperatorFlags(flagsOf(before), flagsOf(after));
};

/**
 * Creates or changes a user's entitlement. Throws as `makeEntitle` does, `missing` (`user_not_found`), and for a change of
 * the operator role the refusal of `judgeOperators`. Mails notify the operator and the founders of such a change.
 */
export const makeSetEntitlement = (deps: Deps) => {
  const { changeUser, log, policy } = deps;
  const entitle = makeEntitle(deps);
  const addOperatorMails = makeAddOperatorMails(deps);

  return async (
    userId: string,
    input: SetEntitlementInput,
    by: ChangedBy & { readonly caller: Caller },
    judgeOperators: JudgeChange = async () => undefined,
  ): Promise<EntitlementAnswer> => {
    let isChanged = false;
    const answer = await changeUser<EntitlementAnswer>(
      userId,
      async (account) => {
        const { next, entitlement } = entitle(account, input, by);
        isChanged = next !== null;
        const changesRole = next !== null && changesOperators(account, next);
        const otherDecision = changesRole ? await judgeOperators(account, next) : undefined;
        if (otherDecision !== undefined) return otherDecision;
        return {
          next: changesRole ? await addOperatorMails(account, next, by) : next,
          answer: { entitlement: viewEntitlement(userId, entitlement, policy.selfEntitlement) },
        };
      },
      accountNotFound,
    );
    if (isChanged && by.authority.kind !== 'self')
      log.info('operator.acted', { userId, reason: 'entitlement.changed', ...calledFrom(by.caller) });
    return answer;
  };
};

/**
 * Updates the access of accounts that were last written under another value of `SELF_ENTITLEMENT`, which decides
 * whether users' own claims count. Lists and counts use the stored access.
 */
export const makeRecountAccess =
  ({ accounts, change, log, policy }: Pick<Deps, 'accounts' | 'change' | 'log' | 'policy'>) =>
  async (limit = 200): Promise<number> => {
    const self = policy.selfEntitlement;
    // Accounts that were written while claims counted, if claims no longer count, or the reverse.
    const outdated = await accounts.listWhere({ fact: 'claims', counted: self !== 'trust' }, limit);
    const recount = (id: string): Promise<number> =>
      change<number>(
        () => accounts.find(id),
        // Not an action by or on the user: no audit row, no event, and `updatedAt` stays.
        (account) =>
          account === undefined ? { next: null, answer: 0 } : { next: withAccess(account, self), answer: 1 },
      );
    const counts = await Promise.all(outdated.map(({ id }) => recount(id)));
    const count = counts.reduce((sum, recounted) => sum + recounted, 0);
    if (count > 0) log.info('access.recounted', { count });
    return count;
  };

/** Changes the caller's own entitlement, as a user, an operator or with the internal secret. See decision 0023. */
export const makeSetOwnEntitlement = (deps: Deps) => {
  const setEntitlement = makeSetEntitlement(deps);

  return (
    { user }: Principal,
    input: SetEntitlementInput,
    internal: boolean,
    caller: Caller,
  ): Promise<EntitlementAnswer> => {
    // `own` keeps operator flags that the input omits: an operator who changes other flags must not lose the role.
    const ordinaryAuthority: Authority = internal ? { kind: 'internal' } : authorityOf(user, deps.policy);
    const authority = { ...ordinaryAuthority, own: true };
    const by = {
      authority,
      actor: internal ? 'internal' : user.id,
      caller,
      ...(authority.kind !== 'self' && { address: caller.address }),
      ...(internal && { means: 'internal secret' as const }),
    };
    // Operators may appoint and dismiss only others.
    const judgeOwn: JudgeChange = async () => (internal ? undefined : { next: null, refuse: ownAccount() });
    return setEntitlement(user.id, input, by, judgeOwn);
  };
};

/** A summary of a free-form object: users may write 16 KiB any number of times, and audit rows stay forever. */
const outline = (value: JsonObject, digest: Pick<Digest, 'sha256'>): string => {
  const json = JSON.stringify(value);
  return `${bytesOf(json)} bytes, SHA-256 ${digest.sha256(json)}`;
};

/** An entitlement as an audit row records it. */
const auditedEntitlement = (
  entitlement: Entitlement,
  self: SelfEntitlement,
  digest: Pick<Digest, 'sha256'>,
): AuditValue => ({
  ...effectiveAccess(entitlement, self),
  grantedTier: entitlement.grant?.tier ?? null,
  grantedPremium: entitlement.grant?.isPremium ?? null,
  connected: entitlement.connected,
  customStorageLimit: entitlement.customStorageLimit,
  customApiKeyLimit: entitlement.customApiKeyLimit,
  operatorRole: operatorRole([entitlement]) ?? null,
  accessFlags: outline(entitlement.accessFlags, digest),
  metadata: outline(entitlement.metadata, digest),
});

/** The fields that differ, before and after. A new entitlement has no `before`. */
export const entitlementFacts = (
  before: Entitlement | undefined,
  after: Entitlement,
  self: SelfEntitlement,
  digest: Pick<Digest, 'sha256'>,
): { readonly before?: AuditValue; readonly after: AuditValue } => {
  const factsAfter = auditedEntitlement(after, self, digest);
  if (before === undefined) return { after: factsAfter };
  const factsBefore = auditedEntitlement(before, self, digest);
  const differing = Object.keys(factsAfter).filter((name) => factsAfter[name] !== factsBefore[name]);
  const pick = (value: AuditValue): AuditValue =>
    Object.fromEntries(differing.map((name) => [name, value[name] ?? null]));
  return { before: pick(factsBefore), after: pick(factsAfter) };
};
