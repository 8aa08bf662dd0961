import type { Deps } from './deps.ts';
import { eventNotFound } from './errors.ts';
import type { EventState } from './ports.ts';

/** How many events were tried again, and how many still cannot be applied. */
export interface ReplayResult {
  readonly replayed: number;
  readonly left: number;
}

/** The states of events that are not applied. */
const UNAPPLIED: readonly EventState[] = ['pending', 'waiting', 'dead'];

export const makeReplay = ({ clock, ledger }: Deps, applyAll: () => Promise<void>) => {
  const countUnapplied = async (id: string | null): Promise<number> => {
    if (id !== null) {
      const state = await ledger.findState(id);
      return UNAPPLIED.some((unapplied) => unapplied === state) ? 1 : 0;
    }
    const counts = await Promise.all(UNAPPLIED.map((state) => ledger.count(state)));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  return async (id: string | null, beforeRetry?: () => Promise<unknown>): Promise<ReplayResult> => {
    if (id !== null && (await ledger.findState(id)) === undefined) throw eventNotFound();
    await beforeRetry?.();
    const replayed = await ledger.retry(id, clock.now());
    await applyAll();
    return { replayed, left: await countUnapplied(id) };
  };
};
