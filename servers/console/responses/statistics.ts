import type { DayStatistics } from '../../../core/index.ts';
import { answerOf, type ObjectSchema } from '../../http/schema.ts';

const count = (description: string, example: number) =>
  ({ type: 'integer', description, examples: [example] }) as const;

const day = {
  type: 'object',
  title: 'DayStatistics',
  properties: {
    day: { type: 'string', format: 'date', description: 'UTC', examples: ['2026-11-21'] },
    signUps: count('Accounts made on this day that are still there', 12),
    verified: count('Those of them whose email is verified by now', 9),
    total: count('All accounts', 412),
    byTier: {
      type: 'object',
      description: 'All accounts, by the tier in effect',
      examples: [{ free: 400, pro: 12 }],
    },
    active1: count('Users with a session, not ended, that was refreshed or used within a day', 31),
    active7: count('The same within 7 days', 120),
    active30: count('The same within 30 days', 260),
    mailWaitingMost: count('The most mails that waited, of all looks of the day', 3),
    mailDead: count('Mails that were given up', 0),
    cacheHits: count('Reads of file records that the cache answered', 9_120),
    cacheMisses: count('Reads of file records that it did not', 340),
  },
  required: [
    ...(['day', 'signUps', 'verified', 'total', 'byTier', 'active1', 'active7', 'active30'] as const),
    ...(['mailWaitingMost', 'mailDead', 'cacheHits', 'cacheMisses'] as const),
  ],
} as const satisfies ObjectSchema;

/** The settings name the tiers, so the schema cannot. */
type Shown = Omit<DayStatistics, 'byTier'> & { readonly byTier: Readonly<Record<string, unknown>> };

export const statisticsResponse = answerOf<{ readonly days: readonly Shown[] }>()({
  type: 'object',
  title: 'Statistics',
  properties: {
    days: { type: 'array', description: 'Days without data are left out', items: day },
  },
  required: ['days'],
});
