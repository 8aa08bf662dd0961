import { invalid } from '../../../errors.ts';
import { type DayStatistics, dayOf, daysBefore, KEPT_DAYS } from '../../../statistics.ts';
import type { Kit } from '../../kit.ts';

export interface ListStatistics {
  /** How many days, today among them: 1 to 400. */
  readonly days: number;
}

export const makeListStatistics =
  ({ clock, statistics }: Pick<Kit, 'clock' | 'statistics'>) =>
  async ({ days }: ListStatistics): Promise<readonly DayStatistics[]> => {
    if (days > KEPT_DAYS) throw invalid('invalid_request', `'days' must be from 1 to ${KEPT_DAYS}.`);
    return statistics.list(daysBefore(dayOf(clock.now()), days - 1), days);
  };
