import { flag, tier, time } from '../../accounts/responses/parts.ts';
import { nullable, type ObjectSchema } from '../../http/schema.ts';
import { textOrNull, timeOrNull } from './billing.ts';

const isPremium = flag('Whether the access is a paid one', true);

const source = nullable({
  type: 'object',
  title: 'AccessSource',
  properties: { tier, isPremium, at: time },
  required: ['tier', 'isPremium', 'at'],
});

const grant = nullable({
  type: 'object',
  title: 'Grant',
  properties: {
    fields: {
      type: 'object',
      title: 'GrantedFields',
      description: 'Those that the operator named',
      properties: { tier, isPremium },
    },
    by: textOrNull(
      'A user id, or `operator:cli` or `internal`; null where an earlier version wrote it',
      '0199a0b1-0000-7000-8000-2f1b9c3d4e5f',
    ),
    at: timeOrNull('', '2026-11-21T18:00:00.000Z'),
    reason: textOrNull('', 'a friend of the house'),
  },
  required: ['fields', 'by', 'at', 'reason'],
});

/** Why a user has their present access. */
export const why = {
  type: 'object',
  title: 'Why',
  properties: {
    effective: {
      type: 'string',
      description: 'Where the tier in effect comes from',
      enum: ['grant', 'billing', 'claim', 'free'],
      examples: ['grant'],
    },
    grant,
    billing: source,
    claim: source,
  },
  required: ['effective', 'grant', 'billing', 'claim'],
} as const satisfies ObjectSchema;
