import { entitlementAnswer } from '../../core/accounts/entitlement.ts';
import {
  entitlementList,
  REQUESTED_SERVICE,
  setEntitlementInput,
} from '../../core/accounts/entitlements/change-entitlements.ts';
import { connection, serviceInput } from '../../core/accounts/entitlements/connect-service.ts';
import type { Accounts } from '../../core/index.ts';
import { object, optional, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';

const secretHeader = object({
  'x-internal-secret': optional(
    text({ description: 'The secret of our own services: with it the body takes full effect' }),
  ),
});

const NO_SERVICE = { description: 'There is no such service.', errors: ['unsupported_service'] } as const;
const NO_ENTITLEMENT = {
  description: 'The caller has no entitlement for it.',
  errors: ['entitlement_not_found'],
} as const;

/** Entitlements and connections of the caller: spec section 4.1. */
export const entitlementRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/services',
    summary: 'The caller’s entitlements',
    query: object({ service: optional(REQUESTED_SERVICE) }),
    answers: {
      200: { description: 'The entitlements, none when nothing was set yet.', schema: entitlementList },
      400: NO_SERVICE,
    },
    run: async ({ query, principal }) => ok(accounts.listEntitlements(principal, query.service)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/services',
    summary: 'Create or change the caller’s entitlement, as far as they may',
    headers: secretHeader,
    body: setEntitlementInput,
    answers: {
      200: { description: 'The entitlement as it is in effect.', schema: entitlementAnswer },
      400: {
        description: 'A field is wrong.',
        errors: ['unsupported_service', 'unknown_tier', 'invalid_limit', 'object_too_large'],
      },
      401: { description: 'The token or the internal secret is not valid.', errors: ['invalid_secret'] },
      403: { description: 'Not for users to set.', errors: ['privileged_field', 'operator_flags_protected'] },
      409: { description: 'Founders do not change their own role.', errors: ['own_account'] },
    },
    run: async ({ body, principal, internal, caller }) =>
      ok(await accounts.setOwnEntitlement(principal, body, internal, caller)),
  }),
  signedIn({
    method: 'GET',
    path: '/api/connect/check',
    summary: 'Whether the caller is connected to a service',
    query: serviceInput,
    answers: {
      200: { description: 'Connected or not, and the access.', schema: connection },
      400: NO_SERVICE,
    },
    run: async ({ query, principal }) => ok(accounts.checkConnection(principal, query)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/connect/connect',
    summary: 'Connect the caller to a service',
    body: serviceInput,
    answers: {
      200: { description: 'Connected.', schema: connection },
      400: NO_SERVICE,
      404: NO_ENTITLEMENT,
    },
    run: async ({ body, principal, caller }) => ok(await accounts.connect(principal, body, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/connect/disconnect',
    summary: 'Disconnect the caller from a service; the entitlement is kept',
    body: serviceInput,
    answers: {
      200: { description: 'Disconnected.', schema: connection },
      400: NO_SERVICE,
      404: NO_ENTITLEMENT,
    },
    run: async ({ body, principal, caller }) => ok(await accounts.disconnect(principal, body, caller)),
  }),
];
