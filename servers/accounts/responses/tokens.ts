import type { Accounts } from '../../../core/index.ts';
import { type AnswerOf, answerOf } from '../../http/schema.ts';
import { flag, isPremium, isTrue, limit, tier, userId } from './parts.ts';

export const keysResponse = answerOf<AnswerOf<Accounts['publicKeys']>>()({
  type: 'object',
  title: 'JwkSet',
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        description: 'A public key for ES256 (RFC 7517)',
        examples: [{ kty: 'EC', crv: 'P-256' }],
      },
    },
  },
  required: ['keys'],
});

const seconds = (description: string) =>
  ({ type: 'integer', description: `${description}, Unix seconds`, examples: [1_795_284_000] }) as const;

export const introspectionResponse = answerOf<AnswerOf<Accounts['introspect']>>()({
  oneOf: [
    {
      type: 'object',
      title: 'ActiveToken',
      properties: {
        active: isTrue,
        sub: userId,
        sid: { type: 'string', examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'] },
        jti: { type: 'string', examples: ['0199a0b1-78bb-7d02-9e66-3a2c0d4e5f60'] },
        aud: {
          type: 'string',
          description: 'Set for a token for a service of `TOKEN_AUDIENCES` alone',
          examples: ['notes'],
        },
        iat: seconds('Made'),
        exp: seconds('Over'),
        token_type: {
          type: 'string',
          enum: ['Bearer', 'Cookie'],
          description: '`Cookie` for the value of a session’s cookie',
        },
        tier,
        isPremium,
        banned: flag('Whether the account is banned'),
        disabled: flag('Whether the account is disabled'),
        customStorageLimit: limit('Bytes'),
        customApiKeyLimit: limit('A number of keys'),
      },
      required: [
        ...(['active', 'sub', 'sid', 'jti', 'iat', 'exp', 'token_type', 'tier', 'isPremium'] as const),
        ...(['banned', 'disabled', 'customStorageLimit', 'customApiKeyLimit'] as const),
      ],
    },
    {
      type: 'object',
      title: 'InactiveToken',
      properties: { active: { type: 'boolean', const: false } },
      required: ['active'],
    },
  ],
});
