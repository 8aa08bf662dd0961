const DAY = 86_400_000;

/** The UTC day of a time, such as `2026-11-20`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day that is `days` days earlier. */
export const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * DAY);

/** The number of stored days, including today. */
export const KEPT_DAYS = 400;

/** The counts of a UTC day. Nothing in them is about one person. */
export interface CountedDay {
  readonly day: string;
  /** Existing accounts that were created on this day. */
  readonly signUps: number;
  /** Accounts created on this day whose email is verified by now. */
  readonly verified: number;
  /** All accounts, at the last count of the day. */
  readonly total: number;
  readonly byTier: Readonly<Record<string, number>>;
  /** Users with a live session that was refreshed or used within the last day. */
  readonly active1: number;
  readonly active7: number;
  readonly active30: number;
  /** The highest number of waiting mails in all counts of the day. */
  readonly mailWaitingMost: number;
  readonly mailDead: number;
}

/** Reads of cached file records. */
export interface CacheReads {
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

export interface DayStatistics extends CountedDay, CacheReads {}

/** The counts that stores keep as one document: a listed day has more members. */
export type Counts = Omit<CountedDay, 'day' | 'mailWaitingMost'>;

export const countsOf = ({
  signUps,
  verified,
  total,
  byTier,
  active1,
  active7,
  active30,
  mailDead,
}: Counts): Counts => ({ signUps, verified, total, byTier, active1, active7, active30, mailDead });

/** Statistics, one document for each UTC day. */
export interface Statistics {
  /**
   * Replaces the counts of a day. `mailWaitingMost` never falls, and reads of the cache stay. Removes days that are at least
   * 400 days older.
   */
  put(day: CountedDay): Promise<void>;
  /** Adds reads of the cache to a day, even if it was not put. */
  add(day: string, reads: CacheReads): Promise<void>;
  /** Days that were put, from `from` on, in order. */
  list(from: string, limit: number): Promise<readonly DayStatistics[]>;
}
