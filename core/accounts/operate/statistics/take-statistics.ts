import { type CountedDay, dayOf, daysBefore } from '../../../statistics.ts';
import type { Kit } from '../../kit.ts';
import { timeSince } from '../../session.ts';
import { countActive } from './count-active.ts';
import { countSignUps, NO_SIGN_UPS } from './count-sign-ups.ts';
import { makeCountSealedKeys } from './sealed-keys.ts';

/** Milliseconds within which nothing is counted again: every process looks once an hour, whichever holds the lease. */
const RECENT = 1_800_000;

const NAME = 'statistics';

interface Taken {
  readonly takenAt: number;
}

/**
 * Counts what is so today, and the sign-ups of yesterday once more: some came after the last look of the day, and some
 * verified their email since. Gives after each page, so that whoever runs it can let others have the event loop.
 * See decision 0101.
 */
export const makeTakeStatistics = (kit: Kit) => {
  const { clock, directory, findings, outbox, statistics } = kit;
  const countSealedKeys = makeCountSealedKeys(kit);

  const countMails = async () => {
    let [waiting, dead] = [0, 0];
    for (const { state, count } of await outbox.count()) {
      if (state === 'dead') dead += count;
      else waiting += count;
    }
    return { waiting, dead };
  };

  return async function* (): AsyncGenerator<undefined, void> {
    const now = clock.now();
    const [today, yesterday] = [dayOf(now), daysBefore(dayOf(now), 1)];
    const last = await findings.find<Taken>(NAME);
    const isDone = last !== undefined && dayOf(last.value.takenAt) === today;
    if (isDone && timeSince(last.value.takenAt, now) < RECENT) return;

    const active = yield* countActive(kit, now);
    const signUps = yield* countSignUps(kit, yesterday);
    const { total, byTier } = await directory.stats(now);
    const { waiting, dead } = await countMails();
    const counted: CountedDay = {
      day: today,
      ...(signUps.get(today) ?? NO_SIGN_UPS),
      ...{ total, byTier },
      ...active,
      mailWaitingMost: waiting,
      mailDead: dead,
    };
    await statistics.put(counted);
    const [before] = await statistics.list(yesterday, 1);
    if (before?.day === yesterday) {
      await statistics.put({ ...before, ...(signUps.get(yesterday) ?? NO_SIGN_UPS) });
    }
    yield* countSealedKeys();
    await findings.put(NAME, { takenAt: now } satisfies Taken, last?.version ?? 0);
  };
};
