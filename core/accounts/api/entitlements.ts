import type { Subscribers } from '../../billing/index.ts';
import type { EntitlementView } from '../entitlement.ts';
import type { ChooseService, Connection } from '../entitlements/connection.ts';
import type { SetEntitlement } from '../entitlements/entitle.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { SearchUsers, UserList, UserStats } from '../operate/users.ts';

/** What users are entitled to, and the calls of `/api/admin`. */
export interface Entitlements {
  /** The user's entitlements, or the one for a service. Throws `invalid` (`unsupported_service`). */
  listEntitlements(who: Identity, service?: string): { readonly entitlements: readonly EntitlementView[] };
  /**
   * Creates or changes the user's own entitlement: as a claim, or with full effect when the user is an operator or
   * `internal` says that the internal secret came along. Throws `invalid` (`unsupported_service`, `unknown_tier`,
   * `invalid_limit`, `object_too_large`) and `forbidden` for what this user may not change.
   */
  setOwnEntitlement(
    who: Identity,
    input: SetEntitlement,
    internal: boolean,
    caller: Caller,
  ): Promise<{ readonly entitlement: EntitlementView }>;
  /**
   * Sets a user's entitlement as an operator, or with the internal secret (`who` undefined). Throws as
   * `setOwnEntitlement` does, and `missing` (`user_not_found`).
   */
  setUserEntitlement(
    who: Identity | undefined,
    userId: string,
    input: SetEntitlement,
    caller: Caller,
  ): Promise<{ readonly entitlement: EntitlementView }>;
  /** Pages through the users, the newest first. Throws `invalid` (`invalid_cursor`, `invalid_email`, `unknown_tier`). */
  listUsers(input: SearchUsers): Promise<UserList>;
  /** The number of users, in all, premium and free. */
  userStats(): Promise<UserStats>;
  /** Whether the user is connected to a service. Throws `invalid` (`unsupported_service`). */
  checkConnection(who: Identity, input: ChooseService): Connection;
  /** Connects the user to a service. Throws `invalid` (`unsupported_service`), `missing` (`entitlement_not_found`). */
  connect(who: Identity, input: ChooseService, caller: Caller): Promise<Connection>;
  /** Disconnects the user from a service. Throws as `connect` does. */
  disconnect(who: Identity, input: ChooseService, caller: Caller): Promise<Connection>;
  /** The accounts as billing sees them: for `createBilling`. */
  readonly subscribers: Subscribers;
}
