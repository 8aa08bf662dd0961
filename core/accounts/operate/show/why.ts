import { type Access, accessSource, type Entitlement, type SelfEntitlement } from '../../entitlement.ts';

/** Access as one source says it; `at` is ISO 8601. */
export interface SourceView extends Access {
  readonly at: string;
}

/** Why a user has the access that they have. */
export interface AccessWhy {
  /** Where the tier in effect comes from. */
  readonly effective: 'grant' | 'billing' | 'claim' | 'free';
  /** What operators granted; who gave it, when and why are null where an earlier version wrote it. */
  readonly grant: {
    /** Only those that the operator named. */
    readonly fields: Partial<Access>;
    readonly by: string | null;
    readonly at: string | null;
    readonly reason: string | null;
  } | null;
  readonly billing: SourceView | null;
  /** What the user claimed, whether it counts or not. */
  readonly claim: SourceView | null;
}

const NOTHING: AccessWhy = { effective: 'free', grant: null, billing: null, claim: null };

const iso = (time: number) => new Date(time).toISOString();

const sourceView = (source: Entitlement['billing']): SourceView | null =>
  source && { tier: source.tier, isPremium: source.isPremium, at: iso(source.at) };

export const accessWhy = (entitlement: Entitlement | undefined, self: SelfEntitlement): AccessWhy => {
  if (entitlement === undefined) return NOTHING;
  const { billing, claim } = entitlement;
  const { by = null, at, reason = null, ...fields } = entitlement.grant ?? {};
  const grant = { fields, by, at: at === undefined ? null : iso(at), reason };
  return {
    effective: accessSource(entitlement, self),
    grant: entitlement.grant && grant,
    billing: sourceView(billing),
    claim: sourceView(claim),
  };
};
