import { CoreError, invalid } from '../errors.ts';
import {
  type Access,
  type Entitlement,
  effectiveAccess,
  isPremiumTier,
  type JsonObject,
  type SelfEntitlement,
} from './entitlement.ts';
import { type Authority, mayChangeOperators, OPERATOR_KEYS } from './operator.ts';

/** The fields of a change. Omitted ones stay; `null` clears a limit, and as a tier ends an operator's grant. */
export interface EntitlementChange {
  readonly tier?: string | null;
  readonly isPremium?: boolean;
  readonly accessFlags?: JsonObject;
  readonly metadata?: JsonObject;
  readonly customStorageLimit?: number | null;
  readonly customApiKeyLimit?: number | null;
}

/** What rules a change beside who makes it. */
export interface ChangeRules {
  readonly self: SelfEntitlement;
  readonly tiers: readonly string[];
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  readonly objectLongest: number;
}

const PRIVILEGED = ['tier', 'isPremium', 'accessFlags', 'customStorageLimit', 'customApiKeyLimit'] as const;

const refusedRight = (code: string, message: string) => new CoreError('forbidden', code, message);

/** JSON has no lone surrogates, so each character is one byte or a run of escapes, one for each byte. */
const bytesOf = (json: string): number => encodeURIComponent(json).replace(/%[0-9A-F]{2}/g, '-').length;

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
    OPERATOR_KEYS.filter((key) => Object.hasOwn(flags, key)).map((key) => [key, flags[key]]),
  );

/** Flags that replace `old`; the operator keys stay as they were when an own post leaves them out. */
const replacedFlags = (old: JsonObject, given: JsonObject, authority: Authority): JsonObject => {
  const next =
    authority.kind === 'self' || authority.own === true
      ? { ...given, ...operatorFlags({ ...old, ...operatorFlags(given) }) }
      : given;
  const changed = OPERATOR_KEYS.some((key) => next[key] !== old[key]);
  if (changed && !mayChangeOperators(authority)) {
    throw refusedRight('operator_flags_protected', 'Only a founder may change who is an operator.');
  }
  return next;
};

const claimed = (entitlement: Entitlement, change: EntitlementChange, rules: ChangeRules, now: number) => {
  const before = effectiveAccess({ ...entitlement, grant: null }, rules.self);
  const tier = change.tier ?? before.tier;
  const implied = change.tier === undefined ? before.isPremium : isPremiumTier(tier);
  return { tier, isPremium: change.isPremium ?? implied, at: now };
};

const granted = (
  grant: Partial<Access> | null,
  { tier, isPremium }: EntitlementChange,
): Partial<Access> | null => {
  if (tier === null) return isPremium === undefined ? null : { isPremium };
  const kept = tier === undefined ? grant : null;
  return { ...kept, ...(tier !== undefined && { tier }), ...(isPremium !== undefined && { isPremium }) };
};

/**
 * The entitlement after a change by this authority. A user's own post has effect on access only where claims are
 * trusted; `ignore` takes its metadata alone, `reject` refuses privileged fields. Throws `invalid` (`unknown_tier`,
 * `invalid_limit`, `object_too_large`), `forbidden` (`privileged_field`, `operator_flags_protected`).
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
  if (own && rules.self !== 'trust') return { ...entitlement, metadata, updatedAt: now };

  const namesAccess = change.tier !== undefined || change.isPremium !== undefined;
  const { customStorageLimit = entitlement.customStorageLimit } = change;
  const { customApiKeyLimit = entitlement.customApiKeyLimit } = change;
  return {
    ...entitlement,
    accessFlags: flags,
    metadata,
    customStorageLimit,
    customApiKeyLimit,
    claim: own && namesAccess ? claimed(entitlement, change, rules, now) : entitlement.claim,
    grant: !own && namesAccess ? granted(entitlement.grant, change) : entitlement.grant,
    updatedAt: now,
  };
};
