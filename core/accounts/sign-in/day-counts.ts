import type { Kit } from '../kit.ts';
import { DAY } from '../policy.ts';

/** Counts of events that are limited within a day from the first one. */
export interface DayCount {
  readonly key: string;
  readonly most: number;
}

/**
 * Counts once more under each key in turn. Once one has more than it may, those behind it count where nobody reads:
 * what is refused uses up nothing more, and takes as many writes as what is not. Gives the end of that one's day,
 * undefined when all have room.
 */
export const countOnceMore = async (
  { clock, tries }: Pick<Kit, 'clock' | 'tries'>,
  counts: readonly DayCount[],
): Promise<number | undefined> => {
  let until: number | undefined;
  for (const { key, most } of counts) {
    const place = until === undefined ? key : `nobody:${key}`;
    const { count, firstAt } = await tries.add(place, DAY, clock.now());
    if (count > most) until ??= firstAt + DAY;
  }
  return until;
};
