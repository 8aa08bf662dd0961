import { isoDay } from './iso-times.ts';
import { anyObject, integer, object, type Schema, type TypeOf, text } from './schema.ts';

const DAY = 86_400_000;

/** The day that is `days` days earlier. */
export const daysBefore = (day: string, days: number): string => isoDay(Date.parse(day) - days * DAY);

/** The number of stored days, including today. */
export const RETENTION_DAYS = 400;

const counted = (description: string, example: number) => integer({ description, examples: [example] });

export const dayStatistics = object(
  {
    day: text({ format: 'date', description: 'UTC', examples: ['2026-11-21'] }),
    signUps: counted('Accounts made on this day that are still there', 12),
    verified: counted('Those of them whose email is verified by now', 9),
    total: counted('All accounts', 412),
    // The settings name the tiers, so the schema cannot.
    byTier: anyObject({
      description: 'All accounts, by the tier in effect',
      examples: [{ free: 400, pro: 12 }],
    }) as Schema<Readonly<Record<string, number>>>,
    active1: counted('Users with a session, not ended, that was refreshed or used within a day', 31),
    active7: counted('The same within 7 days', 120),
    active30: counted('The same within 30 days', 260),
    mailWaitingMost: counted('The most mails that waited, by any count of the day', 3),
    mailDead: counted('Mails that were given up', 0),
    cacheHits: counted('Reads of file records that the cache answered', 9_120),
    cacheMisses: counted('Reads of file records that it did not', 340),
  },
  { title: 'DayStatistics' },
);
/**
 * The statistics of a UTC day as they were counted last; `mailWaitingMost` is the highest value of the day, and reads of the
 * cache are summed. Nothing in them is about one person.
 */
export type DayStatistics = TypeOf<typeof dayStatistics>;

/** Reads of cached file records. */
export type CacheReads = Pick<DayStatistics, 'cacheHits' | 'cacheMisses'>;
export type CountedDay = Omit<DayStatistics, keyof CacheReads>;

/** The counts that stores keep as one document. */
export type Counts = Omit<CountedDay, 'day' | 'mailWaitingMost'>;

/** Leaves out the reads of the cache, which stores keep beside the counts. A day that `list` returned has both. */
export const countsOf = ({ cacheHits, cacheMisses, ...counts }: Counts & Partial<CacheReads>): Counts =>
  counts;

/** Statistics, one document for each UTC day. */
export interface Statistics {
  /** Replaces the counts of a day. `mailWaitingMost` never falls, and reads of the cache stay. */
  put(day: CountedDay): Promise<void>;
  /** Adds reads of the cache to a day, even if it was not put. */
  add(day: string, reads: CacheReads): Promise<void>;
  /** Removes the days up to and including `last`. */
  sweep(last: string): Promise<void>;
  /** Days that were put, from `from` on, in order. */
  list(from: string, limit: number): Promise<readonly DayStatistics[]>;
}
