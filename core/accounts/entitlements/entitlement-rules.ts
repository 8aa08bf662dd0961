import type { ErrorCode } from '../../error-codes.ts';
import { CoreError, invalid } from '../../errors.ts';
import { anyObject, flag, nullable, number, type ObjectOf, optional, text } from '../../schema.ts';
import {
  type Access,
  differInOperatorFlags,
  type Entitlement,
  effectiveAccess,
  type Grant,
  isPremiumTier,
  type JsonObject,
  OPERATOR_FLAGS,
  type SelfEntitlement,
} from '../entitlement.ts';
import { type Authority, mayChangeOperators } from '../operators.ts';

const limit = (description: string) => optional(nullable(number({ minimum: 0, description })));

export const ENTITLEMENT_CHANGE = {
  tier: optional(nullable(text({ maxLength: 64, description: 'Null ends a grant', examples: ['pro'] }))),
  isPremium: optional(flag({ description: 'Follows the tier when absent' })),
  accessFlags: optional(anyObject({ description: 'Replaces all flags' })),
  metadata: optional(anyObject({ description: 'Replaces all metadata' })),
  customStorageLimit: limit('Bytes; null goes back to the tier’s'),
  customApiKeyLimit: limit('Keys; null goes back to the tier’s'),
};
/** The fields of a change. Omitted fields stay unchanged; a `null` limit is the tier's own, a `null` tier ends the grant. */
export type EntitlementChange = ObjectOf<typeof ENTITLEMENT_CHANGE>;

/** The settings that a change must obey. */
export interface ChangeRules {
  readonly self: SelfEntitlement;
  readonly tiers: readonly string[];
  /** The maximum size of `accessFlags` and of `metadata` as JSON, in bytes. */
  readonly objectLongest: number;
}

const PRIVILEGED = ['tier', 'isPremium', 'accessFlags', 'customStorageLimit', 'customApiKeyLimit'] as const;

const forbidden = (code: ErrorCode, message: string) => new CoreError('forbidden', code, message);

/** The UTF-8 length of JSON. */
export const bytesOf = (json: string): number => new TextEncoder().encode(json).length;

const checkObject = (name: string, value: JsonObject | undefined, longest: number) => {
  if (value === undefined) return;
  const json = JSON.stringify(value, (_, member: unknown) => {
    // `JSON.parse` reads `1e400` as Infinity, which would be stored as null.
    if (typeof member === 'number' && !Number.isFinite(member))
      throw invalid('invalid_request', `${name} has a number that is too large.`);
    return member;
  });
  if (bytesOf(json) > longest) {
    throw invalid('object_too_large', `${name} may have at most ${longest} bytes as JSON.`);
  }
};

export const unknownTier = ({ tiers }: Pick<ChangeRules, 'tiers'>) =>
  invalid('unknown_tier', `The tier must be one of ${tiers.join(', ')}.`);

/** Throws `invalid` for values that no authority may set. */
const checkValues = (change: EntitlementChange, rules: ChangeRules): void => {
  const { tier, customStorageLimit, customApiKeyLimit } = change;
  if (typeof tier === 'string' && !rules.tiers.includes(tier)) throw unknownTier(rules);
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

/**
 * The flags that replace `old`. Operator keys that a user omits from their own flags stay unchanged, so that a change of other
 * flags does not end the user's operator role.
 */
const replacedFlags = (old: JsonObject, flags: JsonObject, authority: Authority): JsonObject => {
  const isOwn = authority.kind === 'self' || authority.own === true;
  const omitted = Object.entries(operatorFlags(old)).filter(([key]) => !Object.hasOwn(flags, key));
  const next = isOwn ? { ...flags, ...Object.fromEntries(omitted) } : flags;
  if (differInOperatorFlags(old, next) && !mayChangeOperators(authority)) {
    throw forbidden('operator_flags_protected', 'Only a founder may change who is an operator.');
  }
  return next;
};

/** Whether both give the same tier and premium flag. */
export const sameAccess = (a: Partial<Access> | null, b: Partial<Access> | null): boolean =>
  (a === null) === (b === null) && a?.tier === b?.tier && a?.isPremium === b?.isPremium;

/**
 * The user's own claim to a tier. The later of the claim and the billing decides the access. A request for what the deciding
 * claim already gives changes nothing; if the billing decides, the request makes a new claim.
 */
const nextClaim = (entitlement: Entitlement, change: EntitlementChange, rules: ChangeRules, now: number) => {
  // Ignores the grant: otherwise the claim would copy its values, and keep them after the grant has ended.
  const before = effectiveAccess({ ...entitlement, grant: null }, rules.self);
  const tier = change.tier ?? before.tier;
  const impliedPremium = change.tier === undefined ? before.isPremium : isPremiumTier(tier);
  const { claim, billing } = entitlement;
  const next = { tier, isPremium: change.isPremium ?? impliedPremium, at: now };
  const claimDecides = claim !== null && (billing === null || claim.at >= billing.at);
  return claimDecides && sameAccess(claim, next) ? claim : next;
};

/** The access that a grant gives after the change. A new tier drops the earlier grant's premium flag. */
const grantedAccess = (
  grant: Partial<Access> | null,
  { tier, isPremium }: EntitlementChange,
): Partial<Access> | null => {
  if (tier === null) return isPremium === undefined ? null : { isPremium };
  if (tier !== undefined) return { tier, ...(isPremium !== undefined && { isPremium }) };
  const premium = isPremium ?? grant?.isPremium;
  return {
    ...(grant?.tier !== undefined && { tier: grant.tier }),
    ...(premium !== undefined && { isPremium: premium }),
  };
};

/** The grant after the change, whose author the caller adds. A repeated grant stays as it is, with its first author. */
const nextGrant = (before: Grant | null, change: EntitlementChange): Grant | null => {
  const access = grantedAccess(before, change);
  return sameAccess(before, access) ? before : access;
};

/**
 * The value with the members of every object sorted, so that equal values have equal text. The name `members` around each
 * sorted list tells it from an array.
 */
const withSortedMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withSortedMembers(member)] as const);
  return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
};

const canonicalJson = (value: unknown): string => JSON.stringify(withSortedMembers(value));

/** Whether two JSON objects are equal, whatever the order of their members. */
export const sameObject = (
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean => a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);

/** Whether the entitlements differ at most in the time of the change. */
const isSame = (before: Entitlement, after: Entitlement): boolean =>
  sameObject(before.accessFlags, after.accessFlags) &&
  sameObject(before.metadata, after.metadata) &&
  before.customStorageLimit === after.customStorageLimit &&
  before.customApiKeyLimit === after.customApiKeyLimit &&
  before.claim?.at === after.claim?.at &&
  sameAccess(before.claim, after.claim) &&
  sameAccess(before.grant, after.grant);

/**
 * The entitlement after a change by this authority; the same object if nothing changes. What a user's own change may do
 * depends on `rules.self`: with `trust` it affects access, with `ignore` only its metadata counts, and `reject` refuses
 * privileged fields. Throws `invalid` (`unknown_tier`, `invalid_limit`, `invalid_request`, `object_too_large`), `forbidden`
 * (`privileged_field`, `operator_flags_protected`).
 */
export const changeEntitlement = (
  entitlement: Entitlement,
  change: EntitlementChange,
  authority: Authority,
  rules: ChangeRules,
  now: number,
): Entitlement => {
  const isSelf = authority.kind === 'self';
  if (isSelf && rules.self === 'reject' && PRIVILEGED.some((field) => change[field] !== undefined)) {
    throw forbidden('privileged_field', 'Users may not set this field themselves.');
  }
  checkValues(change, rules);
  // Null ends a grant, which users cannot do.
  if (isSelf && change.tier === null) throw unknownTier(rules);
  // `replacedFlags` refuses protected operator flags even where `ignore` drops all flags below.
  const flags =
    change.accessFlags === undefined
      ? entitlement.accessFlags
      : replacedFlags(entitlement.accessFlags, change.accessFlags, authority);
  const metadata = change.metadata ?? entitlement.metadata;
  if (isSelf && rules.self !== 'trust') {
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
    claim: isSelf && namesAccess ? nextClaim(entitlement, change, rules, now) : entitlement.claim,
    grant: !isSelf && namesAccess ? nextGrant(entitlement.grant, change) : entitlement.grant,
    updatedAt: now,
  };
  return isSame(entitlement, next) ? entitlement : next;
};
