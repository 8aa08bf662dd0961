import { count, email, time, userId } from '../../accounts/answers/parts.ts';
import type { ObjectSchema } from '../../http/schema.ts';
import { text } from './billing.ts';

const what = text('', 'sessions');
const where = text('', 'sessions');

/** What a deletion removed and kept. */
export const receipt = {
  type: 'object',
  title: 'Receipt',
  properties: {
    userId,
    email,
    deletedAt: time,
    removed: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Removed',
        properties: { what, where, count },
        required: ['what', 'where', 'count'],
      },
    },
    kept: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Kept',
        properties: { what, where },
        required: ['what', 'where'],
      },
    },
    outstanding: {
      type: 'array',
      description: 'What the server still has to remove; empty when all is done',
      items: { type: 'string', examples: ['erase-billing'] },
    },
  },
  required: ['userId', 'email', 'deletedAt', 'removed', 'kept', 'outstanding'],
} as const satisfies ObjectSchema;
