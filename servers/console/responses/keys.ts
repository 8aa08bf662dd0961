import type { KeyLine } from '../../../core/index.ts';
import { type AnswerOf, answerOf, type ObjectSchema } from '../../http/schema.ts';

export type ListKeys = () => Promise<
  readonly (KeyLine & { readonly sealed: number | null; readonly countedAt: string | null })[]
>;

const key = {
  type: 'object',
  title: 'Key',
  properties: {
    kind: { type: 'string', enum: ['signing', 'master'] },
    id: { type: 'string', examples: ['b0mVgQ0c'] },
    state: {
      type: 'string',
      enum: ['next', 'current', 'old', 'over', 'retired', 'unknown'],
      description:
        '`next` waits for its turn, `current` signs or seals, `old` only verifies or opens, `over` and `retired` neither. ' +
        '`unknown` sealed something, and the key file does not have it',
    },
    createdAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Null if unknown',
      examples: ['2026-11-21T18:00:00.000Z'],
    },
    sealed: {
      type: ['integer', 'null'],
      description:
        'Records and secrets that a master key sealed; null for signing keys, and before the first count',
      examples: [1_204],
    },
    countedAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The time of the count, which runs once an hour',
      examples: ['2026-11-21T18:00:00.000Z'],
    },
  },
  required: ['kind', 'id', 'state', 'createdAt', 'sealed', 'countedAt'],
} as const satisfies ObjectSchema;

export const keysResponse = answerOf<{ readonly keys: AnswerOf<ListKeys> }>()({
  type: 'object',
  title: 'Keys',
  properties: { keys: { type: 'array', items: key } },
  required: ['keys'],
});
