import type { Digest } from '../../ports.ts';
import {
  type Entitlement,
  effectiveAccess,
  type JsonObject,
  operatorRole,
  type SelfEntitlement,
} from '../entitlement.ts';
import type { AuditValue } from '../outbox-entries.ts';
import { bytesOf } from './json-size-and-equality.ts';

/** A summary of a free-form object: users may write 16 KiB any number of times, and audit rows stay forever. */
const outline = (value: JsonObject, digest: Pick<Digest, 'sha256'>): string => {
  const json = JSON.stringify(value);
  return `${bytesOf(json)} bytes, SHA-256 ${digest.sha256(json)}`;
};

/** An entitlement as an audit row records it. */
const facts = (
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
  const factsAfter = facts(after, self, digest);
  if (before === undefined) return { after: factsAfter };
  const factsBefore = facts(before, self, digest);
  const differing = Object.keys(factsAfter).filter((name) => factsAfter[name] !== factsBefore[name]);
  const pick = (value: AuditValue): AuditValue =>
    Object.fromEntries(differing.map((name) => [name, value[name] ?? null]));
  return { before: pick(factsBefore), after: pick(factsAfter) };
};
