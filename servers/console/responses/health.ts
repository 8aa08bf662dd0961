import type { HealthView } from '../../../core/index.ts';
import { answerOf, type ObjectSchema } from '../../http/schema.ts';

const service = {
  type: 'object',
  title: 'ServiceHealth',
  properties: {
    service: {
      type: 'string',
      description: '`drop-accounts` or `drop-metadata`',
      examples: ['drop-metadata'],
    },
    status: {
      type: 'string',
      enum: ['ok', 'degraded', 'unreachable'],
      description: '`unreachable`: no answer within a second',
    },
    down: {
      type: 'array',
      description: 'The dependencies that are down',
      items: { type: 'string', examples: ['mail'] },
      examples: [[]],
    },
    up: {
      type: 'array',
      description: 'The dependencies that are up; `drop-metadata` names only those that are down',
      items: { type: 'string', examples: ['store'] },
      examples: [['store', 'mail']],
    },
  },
  required: ['service', 'status', 'down', 'up'],
} as const satisfies ObjectSchema;

const job = {
  type: 'object',
  title: 'JobHealth',
  properties: {
    task: { type: 'string', examples: ['relay'] },
    everySeconds: {
      type: 'integer',
      description: 'The interval of its runs when nothing wakes it',
      examples: [1],
    },
    lastSuccessAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Its last success, to the minute; null before the first',
      examples: ['2026-11-21T18:00:00.000Z'],
    },
    heldBy: {
      type: ['string', 'null'],
      description: 'Host, process and a random text of the running worker; null while it does not run',
      examples: ['web-1:4711:q0KxTw'],
    },
  },
  required: ['task', 'everySeconds', 'lastSuccessAt', 'heldBy'],
} as const satisfies ObjectSchema;

const count = (description: string) => ({ type: 'integer', description, examples: [0] }) as const;

const backlog = {
  type: 'object',
  title: 'Backlog',
  properties: {
    mailWaiting: count('Mails that are to be sent'),
    mailDead: count('Mails that were given up'),
    mailOldestSeconds: count('Age of the oldest mail that waits; 0 where none does'),
    deliveriesPending: count('Deliveries of the payment provider that are to be applied'),
    deliveriesDead: count('Deliveries that could not be applied'),
  },
  required: ['mailWaiting', 'mailDead', 'mailOldestSeconds', 'deliveriesPending', 'deliveriesDead'],
} as const satisfies ObjectSchema;

export const healthViewResponse = answerOf<HealthView>()({
  type: 'object',
  title: 'HealthView',
  properties: {
    at: {
      type: 'string',
      format: 'date-time',
      description: 'The time of the check, by the clock of the other times',
      examples: ['2026-11-21T18:00:05.000Z'],
    },
    services: { type: 'array', items: service },
    jobs: { type: 'array', items: job },
    backlog,
  },
  required: ['at', 'services', 'jobs', 'backlog'],
});
