import {
  type CacheReads,
  type CountedDay,
  countsOf,
  daysBefore,
  KEPT_DAYS,
  type Statistics,
} from '../../core/statistics.ts';
import { by, first, kept } from './records.ts';
import { text, whole } from './scalars.ts';

interface HeldDay extends CacheReads {
  /** Null until something was put. */
  readonly counted: CountedDay | null;
}

const NOTHING: HeldDay = { counted: null, cacheHits: 0, cacheMisses: 0 };

/** Statistics in memory. */
export const makeMemoryStatistics = (): Statistics => {
  const days = new Map<string, HeldDay>();
  const heldOn = (day: string) => days.get(text(day)) ?? NOTHING;
  return {
    put: async (counted) => {
      const { day } = counted;
      const held = heldOn(day);
      const mailWaitingMost = Math.max(whole(counted.mailWaitingMost), held.counted?.mailWaitingMost ?? 0);
      days.set(day, { ...held, counted: kept({ ...countsOf(counted), day, mailWaitingMost }) });
      for (const old of days.keys()) if (old <= daysBefore(day, KEPT_DAYS)) days.delete(old);
    },
    add: async (day, { cacheHits, cacheMisses }) => {
      const held = heldOn(day);
      days.set(day, {
        ...held,
        cacheHits: held.cacheHits + whole(cacheHits),
        cacheMisses: held.cacheMisses + whole(cacheMisses),
      });
    },
    list: async (given, limit) => {
      const from = text(given);
      const listed = [...days.values()].flatMap(({ counted, ...reads }) =>
        counted === null || counted.day < from ? [] : [{ ...counted, ...reads }],
      );
      return first(
        listed,
        by(({ day }) => day),
        limit,
      );
    },
  };
};
