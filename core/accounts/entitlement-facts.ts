import { type Entitlement, effectiveAccess, type SelfEntitlement } from './entitlement.ts';
import type { AuditValue } from './pending.ts';

/** An entitlement as an audit row shows it: effective access, limits, and the free-form objects as JSON text. */
const facts = (entitlement: Entitlement, self: SelfEntitlement): AuditValue => ({
  ...effectiveAccess(entitlement, self),
  grantedTier: entitlement.grant?.tier ?? null,
  grantedPremium: entitlement.grant?.isPremium ?? null,
  connected: entitlement.connected,
  customStorageLimit: entitlement.customStorageLimit,
  customApiKeyLimit: entitlement.customApiKeyLimit,
  accessFlags: JSON.stringify(entitlement.accessFlags),
  metadata: JSON.stringify(entitlement.metadata),
});

/** What differs between the two, before and after; an entitlement that is new has no before. */
export const entitlementFacts = (
  before: Entitlement | undefined,
  after: Entitlement,
  self: SelfEntitlement,
): { readonly before?: AuditValue; readonly after: AuditValue } => {
  const now = facts(after, self);
  if (before === undefined) return { after: now };
  const then = facts(before, self);
  const differing = Object.keys(now).filter((name) => now[name] !== then[name]);
  const pick = (value: AuditValue): AuditValue =>
    Object.fromEntries(differing.map((name) => [name, value[name] ?? null]));
  return { before: pick(then), after: pick(now) };
};
