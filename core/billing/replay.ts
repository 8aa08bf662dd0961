import type { Deps } from './deps.ts';
import { eventNotFound } from './errors.ts';
import type { EventStanding } from './ports.ts';

/** How many events were tried again, and how many still cannot be applied. */
export interface ReplayResult {
  readonly replayed: number;
  readonly left: number;
}

/** The states of events that are not applied. */
const UNAPPLIED: readonly EventStanding[] = ['pending', 'waiting', 'dead'];

export const makeReplay = ({ clock, ledger }: Deps, applyAll: () => Promise<void>) => {
  const countUnapplied = async (id: string | null): Promise<number> => {
    if (id !== null) {
      const standing = await ledger.standing(id);
      return UNAPPLIED.some((unapplied) => unapplied === standing) ? 1 : 0;
    }
    const counts = await Promise.all(UNAPPLIED.map((standing) => ledger.count(standing)));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  return async (id: string | null, begin?: () => Promise<unknown>): Promise<ReplayResult> => {
    if (id !== null && (await ledger.standing(id)) === undefined) throw eventNotFound();
    await begin?.();
    const replayed = await ledger.retry(id, clock.now());
    await applyAll();
    return { replayed, left: await countUnapplied(id) };
  };
};
