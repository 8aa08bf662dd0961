import { message } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import { object, optional, type TypeOf } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { CONNECTED, effectiveAccess, IS_PREMIUM, SERVICE_NAME, TIER } from '../entitlement.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import {
  entitlementFacts,
  entitlementOf,
  REQUESTED_SERVICE,
  supportedService,
  withEntitlement,
} from './change-entitlements.ts';

export const serviceInput = object({ service: REQUESTED_SERVICE });
export type ServiceInput = TypeOf<typeof serviceInput>;

export const connection = object(
  {
    connected: CONNECTED,
    service: SERVICE_NAME,
    tier: optional(TIER),
    isPremium: optional(IS_PREMIUM),
    message: optional(message('The service is connected.')),
  },
  { title: 'Connection' },
);
/** Whether a user is connected to a service, and the access in effect. */
export type Connection = TypeOf<typeof connection>;

const noEntitlement = () =>
  new CoreError('missing', 'entitlement_not_found', 'There is no entitlement for this service.');

export const makeCheckConnection =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal, input: ServiceInput): Connection => {
    const service = supportedService(input.service);
    const entitlement = entitlementOf(user, service);
    if (entitlement === undefined) {
      return { connected: false, service, message: 'There is no entitlement for this service.' };
    }
    const { connected } = entitlement;
    const answer = { connected, service, ...effectiveAccess(entitlement, policy.selfEntitlement) };
    return connected ? answer : { ...answer, message: 'The service is not connected.' };
  };

/** Connects the user to a service, or disconnects them; the entitlement itself stays. */
const makeSetConnected = (deps: Deps, connected: boolean) => {
  const { changeUser, clock, digest, entries, policy } = deps;

  return async ({ user: { id } }: Principal, input: ServiceInput, caller: Caller): Promise<Connection> => {
    const service = supportedService(input.service);
    return changeUser<Connection>(id, (account) => {
      const before = entitlementOf(account, service);
      if (before === undefined) return { next: null, refuse: noEntitlement() };
      const access = effectiveAccess(before, policy.selfEntitlement);
      if (before.connected === connected) {
        return {
          next: null,
          // The interface is fixed: a repeated disconnect answers with the tier, a repeated connect without it.
          answer: connected
            ? { connected, service, message: 'The service is already connected.' }
            : { connected, service, ...access, message: 'The service is not connected.' },
        };
      }
      const after = { ...before, connected, updatedAt: clock.now() };
      const row = entries.ownAudit(
        id,
        connected ? 'service.connected' : 'service.disconnected',
        caller,
        entitlementFacts(before, after, policy.selfEntitlement, digest),
      );
      const message = connected ? 'The service is connected.' : 'The service is disconnected.';
      return {
        next: withPending(withEntitlement(account, after, policy.selfEntitlement), row),
        answer: { connected, service, ...access, message },
      };
    });
  };
};

export const makeConnect = (deps: Deps) => makeSetConnected(deps, true);
export const makeDisconnect = (deps: Deps) => makeSetConnected(deps, false);
