const DAY = 86_400_000;

/** The UTC day of a time, such as `2026-11-20`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day so many days earlier. */
export const daysBefore = (day: string, days: number): string => dayOf(Date.parse(day) - days * DAY);

/** Days that are kept, today among them. */
export const KEPT_DAYS = 400;

/** What was counted of a UTC day. Nothing in it is about one person. */
export interface CountedDay {
  readonly day: string;
  /** Accounts made on this day that are still there. */
  readonly signUps: number;
  /** Those of them whose email is verified by now. */
  readonly verified: number;
  /** All accounts, at the last look of the day. */
  readonly total: number;
  readonly byTier: Readonly<Record<string, number>>;
  /** Users with a session that is not ended and was refreshed or used within the last day. */
  readonly active1: number;
  readonly active7: number;
  readonly active30: number;
  /** Of all looks of the day, the most mails that waited. */
  readonly mailWaitingMost: number;
  readonly mailDead: number;
}

/** Reads of cached file records. */
export interface CacheReads {
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

export interface DayStatistics extends CountedDay, CacheReads {}

/** What stores keep as one document: a day that was listed has more in it. */
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
   * Puts what was counted in place of what was. `mailWaitingMost` never falls, and reads of the cache stay. Removes days
   * that are 400 days older or more.
   */
  put(day: CountedDay): Promise<void>;
  /** Adds reads of the cache to a day, whether or not anything was put. */
  add(day: string, reads: CacheReads): Promise<void>;
  /** Days that were put, from `from` on, in order. */
  list(from: string, limit: number): Promise<readonly DayStatistics[]>;
}
