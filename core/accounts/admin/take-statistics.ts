import { type CountedDay, type DayStatistics, daysBefore, RETENTION_DAYS } from '../../daily-statistics.ts';
import { invalid } from '../../errors.ts';
import { isoDay } from '../../iso-times.ts';
import { pagesOf } from '../../pagination.ts';
import { count, object, type TypeOf } from '../../schema.ts';
import type { Deps } from '../deps.ts';
import { directoryPages } from '../directory.ts';
import { DAY } from '../policy.ts';
import { type SessionUse, timeSince } from '../session.ts';
import { makeCountSealedKeys } from './reseal-secrets.ts';

/** Sessions or accounts per page. */
const PAGE = 500;

/** Users with a session used or refreshed within 1, 7 and 30 days. */
type Active = Pick<CountedDay, 'active1' | 'active7' | 'active30'>;

/** Reads all sessions in the order of their users, so that only one user is in memory at a time. Yields after each page. */
async function* countActive(
  { sessions }: Pick<Deps, 'sessions'>,
  now: number,
): AsyncGenerator<undefined, Active> {
  let active1 = 0;
  let active7 = 0;
  let active30 = 0;
  let user: string | undefined;
  /** Milliseconds since the user's last use of any session. */
  let sinceLastUse = Number.POSITIVE_INFINITY;
  const countUser = () => {
    if (sinceLastUse <= DAY) active1 += 1;
    if (sinceLastUse <= 7 * DAY) active7 += 1;
    if (sinceLastUse <= 30 * DAY) active30 += 1;
  };

  const pages = pagesOf<SessionUse>(PAGE, (after, limit) => sessions.listUses(after, limit));
  for await (const page of pages) {
    for (const { userId, lastUsedAt } of page) {
      if (userId !== user) {
        // Before the first user this counts nobody.
        countUser();
        user = userId;
        sinceLastUse = Number.POSITIVE_INFINITY;
      }
      sinceLastUse = Math.min(sinceLastUse, timeSince(lastUsedAt, now));
    }
    yield;
  }
  countUser();
  return { active1, active7, active30 };
}

/** Accounts created on a day, and how many of them have a verified email. */
type SignUps = Pick<CountedDay, 'signUps' | 'verified'>;

const NO_SIGN_UPS: SignUps = { signUps: 0, verified: 0 };

/** Counts sign-ups by day, the newest first, back to the start of `firstDay`. Yields after each page. */
async function* countSignUps(
  { directory }: Pick<Deps, 'directory'>,
  firstDay: string,
): AsyncGenerator<undefined, ReadonlyMap<string, SignUps>> {
  const days = new Map<string, SignUps>();
  for await (const page of directoryPages(directory, {}, PAGE)) {
    for (const { createdAt, verified } of page) {
      const day = isoDay(createdAt);
      if (day < firstDay) return days;
      const soFar = days.get(day) ?? NO_SIGN_UPS;
      days.set(day, { signUps: soFar.signUps + 1, verified: soFar.verified + (verified ? 1 : 0) });
    }
    yield;
  }
  return days;
}

/** Every process runs this job once an hour, but none counts a day again within this time after its last count. */
const RECENT_MS = 1_800_000;

/** The name under which `jobResults` keeps the time of the last count. */
const NAME = 'statistics';

/**
 * Counts today's statistics, and yesterday's sign-ups again: some came after the last count of the day, and some
 * verified their email since. Yields after each page, so that the caller can release the event loop. See decision 0026.
 */
export const makeTakeStatistics = (deps: Deps) => {
  const { clock, directory, jobResults, outbox, statistics } = deps;
  const countSealedKeys = makeCountSealedKeys(deps);

  const countMails = async () => {
    let waiting = 0;
    let dead = 0;
    for (const { state, count } of await outbox.count()) {
      if (state === 'dead') dead += count;
      else waiting += count;
    }
    return { waiting, dead };
  };

  return async function* (): AsyncGenerator<undefined, void> {
    const now = clock.now();
    const today = isoDay(now);
    const yesterday = daysBefore(today, 1);
    const stored = await jobResults.find<{ readonly takenAt: number }>(NAME);
    const isOfToday = stored !== undefined && isoDay(stored.value.takenAt) === today;
    if (isOfToday && timeSince(stored.value.takenAt, now) < RECENT_MS) return;

    const active = yield* countActive(deps, now);
    const signUps = yield* countSignUps(deps, yesterday);
    const { total, byTier } = await directory.stats(now);
    const { waiting, dead } = await countMails();
    const countedDay: CountedDay = {
      day: today,
      ...(signUps.get(today) ?? NO_SIGN_UPS),
      total,
      byTier,
      ...active,
      // The store keeps the highest of the day.
      mailWaitingMost: waiting,
      mailDead: dead,
    };
    await statistics.put(countedDay);
    await statistics.sweep(daysBefore(today, RETENTION_DAYS));
    // The first day from yesterday on: that is today if nothing was counted yesterday.
    const [earliest] = await statistics.list(yesterday, 1);
    if (earliest?.day === yesterday) {
      await statistics.put({ ...earliest, ...(signUps.get(yesterday) ?? NO_SIGN_UPS) });
    }
    // Not part of a day: it stores counts of its own, once for each run of this job.
    yield* countSealedKeys();
    await jobResults.put(NAME, { takenAt: now }, stored?.version ?? 0);
  };
};

export const DAYS = count({
  maximum: RETENTION_DAYS,
  description: 'How many days, today among them; 30 when absent',
  examples: [30],
});

export const listStatisticsInput = object({ days: DAYS });
/** `days`: number of days including today, 1 to 400. */
export type ListStatisticsInput = TypeOf<typeof listStatisticsInput>;

export const makeListStatistics =
  ({ clock, statistics }: Pick<Deps, 'clock' | 'statistics'>) =>
  async ({ days }: ListStatisticsInput): Promise<readonly DayStatistics[]> => {
    if (days > RETENTION_DAYS)
      throw invalid('invalid_request', `'days' must be from 1 to ${RETENTION_DAYS}.`);
    return statistics.list(daysBefore(isoDay(clock.now()), days - 1), days);
  };
