import { invalid } from '../../errors.ts';
import { type Account, nextChange } from '../account.ts';
import type { Authority } from '../authority.ts';
import {
  type Entitlement,
  type EntitlementView,
  effectiveAccess,
  newEntitlement,
  SERVICE,
  type SelfEntitlement,
  viewEntitlement,
} from '../entitlement.ts';
import { accountNotFound } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { changeEntitlement, type EntitlementChange } from './change-entitlement.ts';
import { entitlementFacts } from './entitlement-facts.ts';

export interface SetEntitlement extends EntitlementChange {
  readonly service: string;
}

/** Who changes an entitlement, and why. */
export interface ChangedBy {
  readonly authority: Authority;
  /** As the audit log names them. */
  readonly actor: string;
  readonly person?: string;
  readonly reason?: string;
  /** The client address of an operator. */
  readonly address?: string;
}

/** The one service there is; throws `invalid` (`unsupported_service`) for any other. */
export const supportedService = (service: string): string => {
  if (service === SERVICE) return service;
  throw invalid('unsupported_service', `The service must be ${SERVICE}.`);
};

export const entitlementOf = (
  { entitlements }: Pick<Account, 'entitlements'>,
  service: string,
): Entitlement | undefined => entitlements.find((one) => one.service === service);

/** The account with its access as its entitlements give it. */
export const withAccess = (account: Account, self: SelfEntitlement): Account => ({
  ...account,
  access: effectiveAccess(entitlementOf(account, SERVICE), self),
  claimsCounted: account.entitlements.some(({ claim }) => claim !== null) ? self === 'trust' : null,
});

/** The account with this entitlement in place of the one for the same service. */
export const withEntitlement = (
  account: Account,
  entitlement: Entitlement,
  self: SelfEntitlement,
): Account => {
  const others = account.entitlements.filter((one) => one.service !== entitlement.service);
  return withAccess({ ...account, entitlements: [...others, entitlement] }, self);
};

export const makeListEntitlements =
  ({ policy }: Pick<Kit, 'policy'>) =>
  ({ user }: Identity, service?: string): { readonly entitlements: readonly EntitlementView[] } => {
    const wanted = service === undefined ? undefined : supportedService(service);
    const found = user.entitlements.filter((one) => wanted === undefined || one.service === wanted);
    return { entitlements: found.map((one) => viewEntitlement(user.id, one, policy.selfEntitlement)) };
  };

/** The entitlement whose grant, where it is a new one, says who gave it, when and why. */
const signed = (before: Entitlement, after: Entitlement, by: ChangedBy, now: number): Entitlement => {
  if (after.grant === null || after.grant === before.grant) return after;
  return { ...after, grant: { ...after.grant, by: by.actor, at: now, reason: by.reason ?? null } };
};

/**
 * The account with an entitlement that was created or changed on somebody's authority, with its audit row and, if
 * access changed, its event. `next` is null if nothing changes. Throws as `change-entitlement.ts` says, and `invalid`
 * (`unsupported_service`).
 */
export const makeEntitle = ({ clock, digest, entries, newId, policy }: Kit) => {
  const { selfEntitlement: self, tiers, entitlementObjectLongest: objectLongest } = policy;
  const rules = { self, tiers, objectLongest };

  return (
    account: Account,
    input: SetEntitlement,
    by: ChangedBy,
    caller: Pick<Caller, 'requestId'> | null,
  ): { readonly next: Account | null; readonly entitlement: Entitlement } => {
    const service = supportedService(input.service);
    const now = clock.now();
    const before = entitlementOf(account, service);
    const base = before ?? newEntitlement(newId(), service, now);
    const after = signed(base, changeEntitlement(base, input, by.authority, rules, now), by, now);
    if (after === before) return { next: null, entitlement: after };
    const row = entries.audit({
      action: 'entitlement.changed',
      actor: by.actor,
      ...(by.person !== undefined && { person: by.person }),
      target: account.id,
      ...(by.reason !== undefined && { reason: by.reason }),
      ...entitlementFacts(before, after, self, digest),
      ...(by.address !== undefined && { address: by.address }),
      caller,
    });
    const isOwn = by.authority.kind === 'self';
    const changed = isOwn ? account : { ...account, updatedAt: nextChange(account, now) };
    const written = withPending(withEntitlement(changed, after, self), row);
    const [then, since] = [effectiveAccess(before, self), effectiveAccess(after, self)];
    const moved = then.tier !== since.tier || then.isPremium !== since.isPremium;
    const next = moved ? withPending(written, entries.event('entitlement.changed', account.id)) : written;
    return { next, entitlement: after };
  };
};

/** Creates or changes a user's entitlement. Throws as `makeEntitle` says, and `missing` (`user_not_found`). */
export const makeSetEntitlement = (kit: Kit) => {
  const { changeUser, policy } = kit;
  const entitle = makeEntitle(kit);

  return (
    userId: string,
    input: SetEntitlement,
    by: ChangedBy,
    caller: Pick<Caller, 'requestId'> | null,
  ): Promise<{ readonly entitlement: EntitlementView }> =>
    changeUser(
      userId,
      (account) => {
        const { next, entitlement } = entitle(account, input, by, caller);
        return {
          next,
          answer: { entitlement: viewEntitlement(userId, entitlement, policy.selfEntitlement) },
        };
      },
      accountNotFound,
    );
};
