import { CoreError, invalid } from '../../errors.ts';
import { bytesOf, sameObject } from '../../json.ts';
import { type Authority, mayChangeOperators } from '../authority.ts';
import {
  type Access,
  type Entitlement,
  effectiveAccess,
  type Grant,
  isPremiumTier,
  type JsonObject,
  OPERATOR_FLAGS,
  type SelfEntitlement,
} from '../entitlement.ts';

/** The fields of a change. Omitted ones stay; `null` clears a limit, and as a tier ends an operator's grant. */
export interface EntitlementChange {
  readonly tier?: string | null;
  readonly isPremium?: boolean;
  readonly accessFlags?: JsonObject;
  readonly metadata?: JsonObject;
  readonly customStorageLimit?: number | null;
  readonly customApiKeyLimit?: number | null;
}

/** The settings that a change must obey. */
export interface ChangeRules {
  readonly self: SelfEntitlement;
  readonly tiers: readonly string[];
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  readonly objectLongest: number;
}

const PRIVILEGED = ['tier', 'isPremium', 'accessFlags', 'customStorageLimit', 'customApiKeyLimit'] as const;

const refusedRight = (code: string, message: string) => new CoreError('forbidden', code, message);

const checkObject = (name: string, value: JsonObject | undefined, longest: number) => {
  if (value !== undefined && bytesOf(JSON.stringify(value)) > longest) {
    throw invalid('object_too_large', `${name} may have at most ${longest} bytes as JSON.`);
  }
};

const unknownTier = ({ tiers }: ChangeRules) =>
  invalid('unknown_tier', `The tier must be one of ${tiers.join(', ')}.`);

/** Throws `invalid` for what no authority may set. */
const check = (change: EntitlementChange, rules: ChangeRules): void => {
  const { tier, customStorageLimit, customApiKeyLimit } = change;
  if (typeof tier === 'string' && !rules.tiers.includes(tier)) {
    throw unknownTier(rules);
  }
  for (const [name, limit] of Object.entries({ customStorageLimit, customApiKeyLimit })) {
    if (typeof limit === 'number' && !(Number.isSafeInteger(limit) && limit >= 0)) {
      throw invalid('invalid_limit', `${name} must be a whole number, not negative.`);
    }
  }
  checkObject('accessFlags', change.accessFlags, rules.objectLongest);
  checkObject('metadata', change.metadata, rules.objectLongest);
};

const operatorFlags = (flags: JsonObject): JsonObject =>
  Object.fromEntries(
    OPERATOR_FLAGS.filter((key) => Object.hasOwn(flags, key)).map((key) => [key, flags[key]]),
  );

/** Flags that replace `old`; the operator keys stay as they were when an own post leaves them out. */
const replacedFlags = (old: JsonObject, given: JsonObject, authority: Authority): JsonObject => {
  const next =
    authority.kind === 'self' || authority.own === true
      ? { ...given, ...operatorFlags({ ...old, ...operatorFlags(given) }) }
      : given;
  const changed = OPERATOR_FLAGS.some((key) => next[key] !== old[key]);
  if (changed && !mayChangeOperators(authority)) {
    throw refusedRight('operator_flags_protected', 'Only a founder may change who is an operator.');
  }
  return next;
};

const sameAccess = (one: Partial<Access> | null, other: Partial<Access> | null): boolean =>
  (one === null) === (other === null) && one?.tier === other?.tier && one?.isPremium === other?.isPremium;

/** A claim that is made again keeps its time while it counts, and renews it where billing has said more since. */
const claimed = (entitlement: Entitlement, change: EntitlementChange, rules: ChangeRules, now: number) => {
  const before = effectiveAccess({ ...entitlement, grant: null }, rules.self);
  const tier = change.tier ?? before.tier;
  const implied = change.tier === undefined ? before.isPremium : isPremiumTier(tier);
  const { claim, billing } = entitlement;
  const next = { tier, isPremium: change.isPremium ?? implied, at: now };
  const counts = claim !== null && (billing === null || claim.at >= billing.at);
  return counts && sameAccess(claim, next) ? claim : next;
};

const accessGranted = (
  grant: Partial<Access> | null,
  { tier, isPremium }: EntitlementChange,
): Partial<Access> | null => {
  if (tier === null) return isPremium === undefined ? null : { isPremium };
  const kept = tier === undefined ? grant : null;
  return {
    ...(kept?.tier !== undefined && { tier: kept.tier }),
    ...(kept?.isPremium !== undefined && { isPremium: kept.isPremium }),
    ...(tier !== undefined && { tier }),
    ...(isPremium !== undefined && { isPremium }),
  };
};

/** A grant that is given again stays the one that it is, and says who gave it first. */
const granted = (before: Grant | null, change: EntitlementChange): Grant | null => {
  const access = accessGranted(before, change);
  return sameAccess(before, access) ? before : access;
};

/** Whether nothing differs but the time of the change. */
const isSame = (before: Entitlement, after: Entitlement): boolean =>
  sameObject(before.accessFlags, after.accessFlags) &&
  sameObject(before.metadata, after.metadata) &&
  before.customStorageLimit === after.customStorageLimit &&
  before.customApiKeyLimit === after.customApiKeyLimit &&
  before.claim?.at === after.claim?.at &&
  sameAccess(before.claim, after.claim) &&
  sameAccess(before.grant, after.grant);

/**
 * The entitlement after a change by this authority; the very one that was given where it is so already. A user's own
 * post has effect on access only where claims are trusted; `ignore` takes its metadata alone, `reject` refuses privileged
 * fields. Throws `invalid` (`unknown_tier`, `invalid_limit`, `object_too_large`), `forbidden` (`privileged_field`,
 * `operator_flags_protected`).
 */
export const changeEntitlement = (
  entitlement: Entitlement,
  change: EntitlementChange,
  authority: Authority,
  rules: ChangeRules,
  now: number,
): Entitlement => {
  const own = authority.kind === 'self';
  if (own && rules.self === 'reject' && PRIVILEGED.some((field) => change[field] !== undefined)) {
    throw refusedRight('privileged_field', 'Users may not set this about themselves.');
  }
  check(change, rules);
  if (own && change.tier === null) throw unknownTier(rules);
  const flags =
    change.accessFlags === undefined
      ? entitlement.accessFlags
      : replacedFlags(entitlement.accessFlags, change.accessFlags, authority);
  const metadata = change.metadata ?? entitlement.metadata;
  if (own && rules.self !== 'trust') {
    const next = { ...entitlement, metadata, updatedAt: now };
    return isSame(entitlement, next) ? entitlement : next;
  }

  const namesAccess = change.tier !== undefined || change.isPremium !== undefined;
  const { customStorageLimit = entitlement.customStorageLimit } = change;
  const { customApiKeyLimit = entitlement.customApiKeyLimit } = change;
  const next = {
    ...entitlement,
    accessFlags: flags,
    metadata,
    customStorageLimit,
    customApiKeyLimit,
    claim: own && namesAccess ? claimed(entitlement, change, rules, now) : entitlement.claim,
    grant: !own && namesAccess ? granted(entitlement.grant, change) : entitlement.grant,
    updatedAt: now,
  };
  return isSame(entitlement, next) ? entitlement : next;
};
