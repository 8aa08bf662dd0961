import type { Accounts, ChooseService, SetEntitlement } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { connectionAnswer, entitlementAnswer, entitlementsAnswer } from './answers/entitlement.ts';
import { limit, service } from './fields.ts';
import { signedIn } from './signed-in.ts';

/** The body that sets an entitlement, here and for operators. */
export const entitlementBody = schemaOf<SetEntitlement>()({
  type: 'object',
  properties: {
    service,
    tier: { type: ['string', 'null'], maxLength: 64, description: 'Null ends a grant', examples: ['pro'] },
    isPremium: { type: 'boolean', description: 'Follows the tier when absent' },
    accessFlags: { type: 'object', description: 'Replaces all flags' },
    metadata: { type: 'object', description: 'Replaces all metadata' },
    customStorageLimit: { ...limit, description: 'Bytes; null goes back to the tier’s' },
    customApiKeyLimit: { ...limit, description: 'Keys; null goes back to the tier’s' },
  },
  required: ['service'],
});

const secretHeader = {
  type: 'object',
  properties: {
    'x-internal-secret': {
      type: 'string',
      description: 'Beside the access token: the body takes full effect',
    },
  },
} as const;

const chooseBody = schemaOf<ChooseService>()({
  type: 'object',
  properties: { service },
  required: ['service'],
});

const listQuery = schemaOf<{ readonly service?: string }>()({ type: 'object', properties: { service } });

const WRONG = ['unsupported_service', 'unknown_tier', 'invalid_limit', 'object_too_large'];

/** Entitlements and connections of the caller: spec section 4.1. */
export const entitlementRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/services',
    summary: 'The caller’s entitlements',
    access: 'bearer',
    bucket: 'default',
    query: listQuery,
    answers: {
      200: { description: 'The entitlements, none when nothing was set yet.', schema: entitlementsAnswer },
      400: { description: 'There is no such service.', errors: ['unsupported_service'] },
    },
    run: async ({ query, who }) => ok(accounts.listEntitlements(who, query.service)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/services',
    summary: 'Create or change the caller’s entitlement, as far as they may',
    access: 'bearer',
    bucket: 'default',
    headers: secretHeader,
    body: entitlementBody,
    answers: {
      200: { description: 'The entitlement as it is in effect.', schema: entitlementAnswer },
      400: { description: 'A field is wrong.', errors: WRONG },
      403: { description: 'Not for users to set.', errors: ['privileged_field', 'operator_flags_protected'] },
    },
    run: async ({ body, who, internal, caller }) =>
      ok(await accounts.setOwnEntitlement(who, body, internal, caller)),
  }),
  signedIn({
    method: 'GET',
    path: '/api/connect/check',
    summary: 'Whether the caller is connected to a service',
    access: 'bearer',
    bucket: 'default',
    query: chooseBody,
    answers: {
      200: { description: 'Connected or not, and the access.', schema: connectionAnswer },
      400: { description: 'There is no such service.', errors: ['unsupported_service'] },
    },
    run: async ({ query, who }) => ok(accounts.checkConnection(who, query)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/connect/connect',
    summary: 'Connect the caller to a service',
    access: 'bearer',
    bucket: 'default',
    body: chooseBody,
    answers: {
      200: { description: 'Connected.', schema: connectionAnswer },
      400: { description: 'There is no such service.', errors: ['unsupported_service'] },
      404: { description: 'The caller has no entitlement for it.', errors: ['entitlement_not_found'] },
    },
    run: async ({ body, who, caller }) => ok(await accounts.connect(who, body, caller)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/connect/disconnect',
    summary: 'Disconnect the caller from a service; the entitlement is kept',
    access: 'bearer',
    bucket: 'default',
    body: chooseBody,
    answers: {
      200: { description: 'Disconnected.', schema: connectionAnswer },
      400: { description: 'There is no such service.', errors: ['unsupported_service'] },
      404: { description: 'The caller has no entitlement for it.', errors: ['entitlement_not_found'] },
    },
    run: async ({ body, who, caller }) => ok(await accounts.disconnect(who, body, caller)),
  }),
];
