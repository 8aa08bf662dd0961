import { count, email, time, userId } from '../../accounts/responses/parts.ts';
import type { ObjectSchema } from '../../http/schema.ts';
import { text } from './billing.ts';

const resource = text('', 'sessions');
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
        properties: { what: resource, where, count },
        required: ['what', 'where', 'count'],
      },
    },
    kept: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Kept',
        properties: { what: resource, where },
        required: ['what', 'where'],
      },
    },
    outstanding: {
      type: 'array',
      description: 'Data that the server still must delete; empty when the deletion is complete',
      items: { type: 'string', examples: ['erase-billing'] },
    },
  },
  required: ['userId', 'email', 'deletedAt', 'removed', 'kept', 'outstanding'],
} as const satisfies ObjectSchema;
