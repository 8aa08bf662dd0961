import type { Accounts, EntitlementView } from '../../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';
import { connected, flag, isPremium, limit, message, service, tier, time, userId } from './parts.ts';

export const entitlement = {
  type: 'object',
  title: 'Entitlement',
  properties: {
    id: { type: 'string', format: 'uuid', examples: ['0199a0b1-9f00-7b6d-a3c4-5d6e7f809112'] },
    userId,
    service,
    tier,
    isPremium,
    connected,
    accessFlags: { type: 'object', description: 'Such as `isOperatorTeam` and `operatorTeamRole`' },
    metadata: { type: 'object', description: 'Whatever was put there' },
    customStorageLimit: limit('Bytes'),
    customApiKeyLimit: limit('A number of keys'),
    createdAt: time,
    updatedAt: time,
  },
  required: [
    ...(['id', 'userId', 'service', 'tier', 'isPremium', 'connected', 'accessFlags', 'metadata'] as const),
    ...(['customStorageLimit', 'customApiKeyLimit', 'createdAt', 'updatedAt'] as const),
  ],
} as const satisfies ObjectSchema;

export const entitlementResponse = answerOf<{ readonly entitlement: EntitlementView }>()({
  type: 'object',
  title: 'EntitlementAnswer',
  properties: { entitlement },
  required: ['entitlement'],
});

export const entitlementsResponse = answerOf<AnswerOf<Accounts['listEntitlements']>>()({
  type: 'object',
  properties: { entitlements: { type: 'array', items: entitlement } },
  required: ['entitlements'],
});

export const connectionResponse = answerOf<AnswerOf<Accounts['connect']>>()({
  type: 'object',
  title: 'Connection',
  properties: {
    connected: flag('Whether the user is connected to the service', true),
    service,
    tier,
    isPremium,
    message: message('The service is connected.'),
  },
  required: ['connected', 'service'],
});
