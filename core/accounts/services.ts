import { CoreError, invalid } from '../errors.ts';
import type { Account } from './account.ts';
import type { Identity } from './authenticate.ts';
import { changeEntitlement, type EntitlementChange } from './change-entitlement.ts';
import {
  type Entitlement,
  type EntitlementView,
  effectiveAccess,
  newEntitlement,
  SERVICE,
  type SelfEntitlement,
  viewEntitlement,
} from './entitlement.ts';
import { entitlementFacts } from './entitlement-facts.ts';
import { withPending } from './entries.ts';
import type { Kit } from './kit.ts';
import type { Caller } from './needs.ts';
import type { Authority } from './operator.ts';

export interface SetEntitlement extends EntitlementChange {
  readonly service: string;
}

/** Who changes an entitlement, and why. */
export interface ChangedBy {
  readonly authority: Authority;
  /** As the audit log names them. */
  readonly actor: string;
  readonly reason?: string;
}

/** The one service there is; throws `invalid` (`unsupported_service`) for any other. */
export const supportedService = (service: string): string => {
  if (service === SERVICE) return service;
  throw invalid('unsupported_service', `The service must be ${SERVICE}.`);
};

export const entitlementOf = (account: Account, service: string): Entitlement | undefined =>
  account.entitlements.find((one) => one.service === service);

/** The account with this entitlement in place of the one for the same service. */
export const withEntitlement = (
  account: Account,
  entitlement: Entitlement,
  self: SelfEntitlement,
): Account => ({
  ...account,
  access: effectiveAccess(entitlement, self),
  entitlements: [...account.entitlements.filter((one) => one.service !== entitlement.service), entitlement],
});

export const accountNotFound = () => new CoreError('missing', 'user_not_found', 'There is no such user.');

/** The caller's entitlements, or the one for a service. */
export const makeListEntitlements =
  ({ policy }: Kit) =>
  ({ account }: Identity, service?: string): { readonly entitlements: readonly EntitlementView[] } => {
    const wanted = service === undefined ? undefined : supportedService(service);
    const found = account.entitlements.filter((one) => wanted === undefined || one.service === wanted);
    return { entitlements: found.map((one) => viewEntitlement(account.id, one, policy.selfEntitlement)) };
  };

/**
 * Creates or changes a user's entitlement on somebody's authority, with its audit row. Throws as
 * `change-entitlement.ts` says, `invalid` (`unsupported_service`), `missing` (`user_not_found`).
 */
export const makeSetEntitlement = (kit: Kit) => {
  const { accounts, change, clock, entries, newId, policy } = kit;
  const rules = {
    self: policy.selfEntitlement,
    tiers: policy.tiers,
    objectLongest: policy.entitlementObjectLongest,
  };

  return (
    userId: string,
    input: SetEntitlement,
    by: ChangedBy,
    caller: Pick<Caller, 'requestId'> | null,
  ): Promise<{ readonly entitlement: EntitlementView }> => {
    const service = supportedService(input.service);
    return change(
      () => accounts.find(userId),
      (account) => {
        if (account === undefined || account.deletedAt !== null)
          return { next: null, refuse: accountNotFound() };
        const now = clock.now();
        const before = entitlementOf(account, service);
        const after = changeEntitlement(
          before ?? newEntitlement(newId(), service, now),
          input,
          by.authority,
          rules,
          now,
        );
        const facts = entitlementFacts(before, after, policy.selfEntitlement);
        const row = entries.audit({
          action: 'entitlement.changed',
          actor: by.actor,
          target: userId,
          ...(by.reason !== undefined && { reason: by.reason }),
          ...facts,
          caller,
        });
        const changed = withPending(withEntitlement(account, after, policy.selfEntitlement), row);
        const accessBefore = effectiveAccess(before, policy.selfEntitlement);
        const accessAfter = effectiveAccess(after, policy.selfEntitlement);
        const moved =
          accessBefore.tier !== accessAfter.tier || accessBefore.isPremium !== accessAfter.isPremium;
        return {
          next: moved ? withPending(changed, entries.event('entitlement.changed', userId)) : changed,
          answer: { entitlement: viewEntitlement(userId, after, policy.selfEntitlement) },
        };
      },
    );
  };
};
