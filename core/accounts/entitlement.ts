/** Free-form JSON of a user or an operator. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A tier and whether it counts as premium, from one source. */
export interface Access {
  readonly tier: string;
  readonly isPremium: boolean;
}

/** What an operator granted: only the fields that they named. */
export interface Grant extends Partial<Access> {
  /** Who gave it, as rows name them; absent, with the rest, where an earlier version wrote it. */
  readonly by?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
  readonly reason?: string | null;
}

/**
 * What one service is to one user. Access has sources, each kept apart: what an operator granted, what billing says,
 * and, where it is trusted, what the user claimed. `effectiveAccess` makes one of them.
 * See decision 0023.
 */
export interface Entitlement {
  readonly id: string;
  readonly service: string;
  readonly connected: boolean;
  readonly accessFlags: JsonObject;
  readonly metadata: JsonObject;
  /** Bytes; null: the tier's own. */
  readonly customStorageLimit: number | null;
  /** Null: the tier's own. */
  readonly customApiKeyLimit: number | null;
  readonly grant: Grant | null;
  /** The user's own claim, with its time: in trust mode it and billing are peers, and the later counts. */
  readonly claim: (Access & { readonly at: number }) | null;
  /** What billing says, with the time from which it says so. */
  readonly billing: (Access & { readonly at: number }) | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a user may say about their own access: `trust` takes it, `ignore` and `reject` never do. */
export type SelfEntitlement = 'trust' | 'ignore' | 'reject';

/** The one service there is. */
export const SERVICE = 'DROP';

export const FREE: Access = { tier: 'free', isPremium: false };

/** Whether a tier is premium when nobody says so expressly. */
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

/** What is in effect where no operator granted anything. */
const accessBelow = ({ billing, claim }: Entitlement, self: SelfEntitlement): Access => {
  const counts = self === 'trust' && claim !== null && (billing === null || claim.at >= billing.at);
  return counts ? claim : (billing ?? FREE);
};

/** Operator grant, else billing (or a later claim, where claims are trusted), else free. */
export const effectiveAccess = (entitlement: Entitlement | undefined, self: SelfEntitlement): Access => {
  if (entitlement === undefined) return FREE;
  const { grant } = entitlement;
  const below = accessBelow(entitlement, self);
  const tier = grant?.tier ?? below.tier;
  const implied = grant?.tier === undefined ? below.isPremium : isPremiumTier(grant.tier);
  return { tier, isPremium: grant?.isPremium ?? implied };
};

/** Where the tier in effect comes from. */
export const accessSource = (
  entitlement: Entitlement,
  self: SelfEntitlement,
): 'grant' | 'billing' | 'claim' | 'free' => {
  if (entitlement.grant?.tier !== undefined) return 'grant';
  const below = accessBelow(entitlement, self);
  if (below.tier === FREE.tier) return 'free';
  return below === entitlement.claim ? 'claim' : 'billing';
};

/** The entitlement as every answer shows it; times are ISO 8601. */
export interface EntitlementView extends Access {
  readonly id: string;
  readonly userId: string;
  readonly service: string;
  readonly connected: boolean;
  readonly accessFlags: JsonObject;
  readonly metadata: JsonObject;
  readonly customStorageLimit: number | null;
  readonly customApiKeyLimit: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const viewEntitlement = (
  userId: string,
  entitlement: Entitlement,
  self: SelfEntitlement,
): EntitlementView => ({
  id: entitlement.id,
  userId,
  service: entitlement.service,
  ...effectiveAccess(entitlement, self),
  connected: entitlement.connected,
  accessFlags: entitlement.accessFlags,
  metadata: entitlement.metadata,
  customStorageLimit: entitlement.customStorageLimit,
  customApiKeyLimit: entitlement.customApiKeyLimit,
  createdAt: new Date(entitlement.createdAt).toISOString(),
  updatedAt: new Date(entitlement.updatedAt).toISOString(),
});

/** The two keys of `accessFlags` that make an operator. */
export const OPERATOR_FLAGS = ['isOperatorTeam', 'operatorTeamRole'] as const;

export type OperatorRole = 'founder' | 'dev';

/** The operator role in the entitlements; undefined for users who are no operators. */
export const operatorRole = (entitlements: readonly Entitlement[]): OperatorRole | undefined => {
  for (const { accessFlags } of entitlements) {
    const { isOperatorTeam, operatorTeamRole: role } = accessFlags;
    if (isOperatorTeam === true && (role === 'founder' || role === 'dev')) return role;
  }
  return undefined;
};
