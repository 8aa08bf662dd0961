import { TIME, USER_ID } from '../answer-schemas.ts';
import { isoTime } from '../iso-times.ts';
import { anyObject, flag, nullable, number, object, type TypeOf, text } from '../schema.ts';

export const SERVICE_NAME = text({ examples: ['DROP'] });
export const TIER = text({ description: 'One of the setting `TIERS`', examples: ['pro'] });
export const IS_PREMIUM = flag({ description: 'Whether the access is a paid one', examples: [true] });
export const CONNECTED = flag({
  description: 'Whether the user is connected to the service',
  examples: [true],
});

/** The schema of a limit that was set for the user in place of the tier's. */
export const ownLimit = (unit: string) =>
  nullable(number({ description: `${unit}; null: the tier’s own`, examples: [null] }));

/** Free-form JSON from a user or an operator. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A tier and whether it counts as premium, from one source. */
export interface Access {
  readonly tier: string;
  readonly isPremium: boolean;
}

/** A grant by an operator or by the internal secret, with only the fields that were set. */
export interface Grant extends Partial<Access> {
  /** The author as audit rows name them; this and the next fields are absent in grants of earlier versions. */
  readonly by?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
  readonly reason?: string | null;
}

/**
 * A user's entitlement to one service. Its sources of access are stored apart: an operator's grant, billing, and the
 * user's own claim, where that is trusted. `effectiveAccess` combines them.
 * See decision 0023.
 */
export interface Entitlement {
  readonly id: string;
  readonly service: string;
  readonly connected: boolean;
  readonly accessFlags: JsonObject;
  readonly metadata: JsonObject;
  /** Bytes; null: the tier's limit. */
  readonly customStorageLimit: number | null;
  /** Null: the tier's limit. */
  readonly customApiKeyLimit: number | null;
  readonly grant: Grant | null;
  /** The user's own claim, with its time: in `trust` mode the later of claim and billing counts. */
  readonly claim: (Access & { readonly at: number }) | null;
  /** The access from billing, with the time from which it counts. */
  readonly billing: (Access & { readonly at: number }) | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** How a user's claims about their own access count: `trust` accepts them, `ignore` drops them, `reject` refuses them. */
export type SelfEntitlement = 'trust' | 'ignore' | 'reject';

/** The only service. */
export const SERVICE = 'DROP';

export const FREE: Access = { tier: 'free', isPremium: false };

/** Whether a tier is premium unless a grant or claim says otherwise. */
export const isPremiumTier = (tier: string): boolean => tier !== FREE.tier;

export const newEntitlement = (id: string, service: string, now: number): Entitlement => ({
  id,
  service,
  connected: false,
  accessFlags: {},
  metadata: {},
  customStorageLimit: null,
  customApiKeyLimit: null,
  grant: null,
  claim: null,
  billing: null,
  createdAt: now,
  updatedAt: now,
});

/** The access from billing or the user's claim, without an operator's grant. */
const accessWithoutGrant = ({ billing, claim }: Entitlement, selfEntitlement: SelfEntitlement): Access => {
  const isClaimLatest = claim !== null && (billing === null || claim.at >= billing.at);
  return selfEntitlement === 'trust' && isClaimLatest ? claim : (billing ?? FREE);
};

/** The operator's grant, else billing (or a later claim, where claims are trusted), else free. */
export const effectiveAccess = (
  entitlement: Entitlement | undefined,
  selfEntitlement: SelfEntitlement,
): Access => {
  if (entitlement === undefined) return FREE;
  const { grant } = entitlement;
  const withoutGrant = accessWithoutGrant(entitlement, selfEntitlement);
  const tier = grant?.tier ?? withoutGrant.tier;
  const isPremiumByTier = grant?.tier === undefined ? withoutGrant.isPremium : isPremiumTier(grant.tier);
  return { tier, isPremium: grant?.isPremium ?? isPremiumByTier };
};

/** The source of the tier in effect. */
export const accessSource = (
  entitlement: Entitlement,
  selfEntitlement: SelfEntitlement,
): 'grant' | 'billing' | 'claim' | 'free' => {
  if (entitlement.grant?.tier !== undefined) return 'grant';
  const withoutGrant = accessWithoutGrant(entitlement, selfEntitlement);
  if (withoutGrant.tier === FREE.tier) return 'free';
  // Compared as objects: `accessWithoutGrant` returns one of its sources, not a copy.
  return withoutGrant === entitlement.claim ? 'claim' : 'billing';
};

export const entitlementView = object(
  {
    id: text({ format: 'uuid', examples: ['0199a0b1-9f00-7b6d-a3c4-5d6e7f809112'] }),
    userId: USER_ID,
    service: SERVICE_NAME,
    tier: TIER,
    isPremium: IS_PREMIUM,
    connected: CONNECTED,
    accessFlags: anyObject({ description: 'Such as `isOperatorTeam` and `operatorTeamRole`' }),
    metadata: anyObject({ description: 'Whatever was put there' }),
    customStorageLimit: ownLimit('Bytes'),
    customApiKeyLimit: ownLimit('A number of keys'),
    createdAt: TIME,
    updatedAt: TIME,
  },
  { title: 'Entitlement' },
);
/** The entitlement as responses show it, with the access in effect. Times are ISO 8601. */
export type EntitlementView = TypeOf<typeof entitlementView>;

export const entitlementAnswer = object({ entitlement: entitlementView }, { title: 'EntitlementAnswer' });
export type EntitlementAnswer = TypeOf<typeof entitlementAnswer>;

export const viewEntitlement = (
  userId: string,
  entitlement: Entitlement,
  selfEntitlement: SelfEntitlement,
): EntitlementView => ({
  id: entitlement.id,
  userId,
  service: entitlement.service,
  ...effectiveAccess(entitlement, selfEntitlement),
  connected: entitlement.connected,
  accessFlags: entitlement.accessFlags,
  metadata: entitlement.metadata,
  customStorageLimit: entitlement.customStorageLimit,
  customApiKeyLimit: entitlement.customApiKeyLimit,
  createdAt: isoTime(entitlement.createdAt),
  updatedAt: isoTime(entitlement.updatedAt),
});

/** The keys of `accessFlags` that make the user an operator. */
export const OPERATOR_FLAGS = ['isOperatorTeam', 'operatorTeamRole'] as const;

/** Whether two objects of flags differ in the operator flags. */
export const differInOperatorFlags = (flags: JsonObject, others: JsonObject): boolean =>
  OPERATOR_FLAGS.some((key) => flags[key] !== others[key]);

export const OPERATOR_ROLES = ['founder', 'dev'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The operator role in the entitlements; undefined for other users. */
export const operatorRole = (entitlements: readonly Entitlement[]): OperatorRole | undefined => {
  for (const { accessFlags } of entitlements) {
    const role = OPERATOR_ROLES.find((name) => name === accessFlags.operatorTeamRole);
    if (accessFlags.isOperatorTeam === true && role !== undefined) return role;
  }
  return undefined;
};
