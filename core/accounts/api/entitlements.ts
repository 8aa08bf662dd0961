import type { Subscribers } from '../../billing/index.ts';
import type { SearchUsersInput, UserList, UserStats } from '../admin/list-and-count-users.ts';
import type { SetUserEntitlementInput } from '../admin/set-user-entitlement.ts';
import type { Caller } from '../caller.ts';
import type { EntitlementAnswer } from '../entitlement.ts';
import type { EntitlementList, SetEntitlementInput } from '../entitlements/change-entitlements.ts';
import type { Connection, ServiceInput } from '../entitlements/connect-service.ts';
import type { Principal } from '../principal.ts';

/** The entitlements of users, and the calls of `/api/admin`. */
export interface Entitlements {
  /** The user's entitlements, or only the entitlement for a service. Throws `invalid` (`unsupported_service`). */
  listEntitlements(who: Principal, service?: string): EntitlementList;
  /**
   * Creates or changes the user's own entitlement: as a claim, or with full effect if the user is an operator or the
   * request has the internal secret (`internal`). Throws `invalid` (`unsupported_service`, `unknown_tier`,
   * `invalid_limit`, `object_too_large`), `forbidden` (`privileged_field`, `operator_flags_protected`) for fields that this
   * user may not change, `conflict` (`own_account`) for an operator who changes their own role, and `missing`
   * (`user_not_found`) if the account was deleted meanwhile.
   */
  setOwnEntitlement(
    who: Principal,
    input: SetEntitlementInput,
    internal: boolean,
    caller: Caller,
  ): Promise<EntitlementAnswer>;
  /**
   * Sets a user's entitlement as an operator, or with the internal secret (`who` undefined). Throws as
   * `setOwnEntitlement` does (`user_not_found` also if there never was such a user), `invalid` (`invalid_reason`), and
   * `forbidden` (`operators_only`, `second_factor_required`, `account_banned`, `account_disabled`). An operator who
   * changes an operator role needs a fresh authentication (`forbidden`, `fresh_authentication_needed`), and may change
   * neither their own role nor that of the last founder (`conflict`, `own_account`, `last_founder`).
   */
  setUserEntitlement(
    who: Principal | undefined,
    userId: string,
    input: SetUserEntitlementInput,
    caller: Caller,
  ): Promise<EntitlementAnswer>;
  /**
   * Pages through the users, the newest first. Throws `invalid` (`invalid_cursor`, `invalid_email`, `unknown_tier`).
   */
  listUsers(input: SearchUsersInput): Promise<UserList>;
  /** The number of users: all, premium and free. */
  userStats(): Promise<UserStats>;
  /** Whether the user is connected to a service. Throws `invalid` (`unsupported_service`). */
  checkConnection(who: Principal, input: ServiceInput): Connection;
  /** Connects the user to a service. Throws `invalid` (`unsupported_service`), `missing` (`entitlement_not_found`). */
  connect(who: Principal, input: ServiceInput, caller: Caller): Promise<Connection>;
  /** Disconnects the user from a service. Throws as `connect` does. */
  disconnect(who: Principal, input: ServiceInput, caller: Caller): Promise<Connection>;
  /** The accounts as billing sees them, for `createBilling`. */
  readonly subscribers: Subscribers;
}
