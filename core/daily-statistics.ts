import { isoDay } from './iso-times.ts';
import { anyObject, integer, object, type Schema, type TypeOf, text } from './schema.ts';

const DAY = 86_400_000;

/** The day that is `days` days earlier. */
export const daysBefore = (day: string, days: number): string => isoDay(Date.parse(day) - days * DAY);

/** The number of stored days, including today. */
export const RETENTION_DAYS = 400;

const countSchema = (description: string, example: number) => integer({ description, examples: [example] });

export const dayStatistics = object(
  {
    day: text({ format: 'date', description: 'UTC', examples: ['2026-11-21'] }),
    signUps: countSchema('Accounts created on this day that still exist', 12),
    verified: countSchema('The accounts in `signUps` whose email is verified by now', 9),
    total: countSchema('All accounts', 412),
    // The settings name the tiers, so the schema cannot.
    byTier: anyObject({
      description: 'All accounts, by the tier in effect',
      examples: [{ free: 400, pro: 12 }],
    }) as Schema<Readonly<Record<string, number>>>,
    active1: countSchema('Users with a session, not ended, that was refreshed or used within a day', 31),
    active7: countSchema('The same within 7 days', 120),
    active30: countSchema('The same within 30 days', 260),
    mailWaitingMost: countSchema('The highest number of waiting mails that was counted on this day', 3),
    mailDead: countSchema('Mails that were given up', 0),
    cacheHits: countSchema('Reads of file records that the cache answered', 9_120),
    cacheMisses: countSchema('Reads of file records that the cache did not answer', 340),
  },
  { title: 'DayStatistics' },
);
/**
 * The statistics of a UTC day as they were counted last; `mailWaitingMost` is the highest value of the day, and reads of the
 * cache are summed. They hold no personal data.
 */
export type DayStatistics = TypeOf<typeof dayStatistics>;

/** Reads of cached file records. */
export type CacheReads = Pick<DayStatistics, 'cacheHits' | 'cacheMisses'>;
export type CountedDay = Omit<DayStatistics, keyof CacheReads>;

/** The counts that stores keep as one document. */
export type Counts = Omit<CountedDay, 'day' | 'mailWaitingMost'>;

/** Drops the reads of the cache, which stores keep apart from the counts; a day that `list` returned has both. */
export const countsOf = ({ cacheHits, cacheMisses, ...counts }: Counts & Partial<CacheReads>): Counts =>
  counts;

/** Statistics, one document for each UTC day. */
export interface Statistics {
  /** Replaces the counts of a day. `mailWaitingMost` never falls, and reads of the cache stay. */
  put(day: CountedDay): Promise<void>;
  /** Adds reads of the cache to a day, even if the day has no counts yet. */
  add(day: string, reads: CacheReads): Promise<void>;
  /** Removes the days up to and including `last`. */
  sweep(last: string): Promise<void>;
  /** Days that have counts, from `from` on, in order. */
  list(from: string, limit: number): Promise<readonly DayStatistics[]>;
}
