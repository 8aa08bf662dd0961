import { eventNotFound } from './errors.ts';
import type { Kit } from './kit.ts';
import type { EventStanding } from './ports.ts';

/** Of the events that were looked at, how many were tried again, and how many still cannot be applied. */
export interface Replayed {
  readonly replayed: number;
  readonly left: number;
}

/** States of events that are not applied. */
const LEFT: readonly EventStanding[] = ['pending', 'waiting', 'dead'];

export const makeReplay = ({ clock, ledger }: Kit, applyAll: () => Promise<void>) => {
  const countLeft = async (id: string | null): Promise<number> => {
    if (id !== null) {
      const standing = await ledger.standing(id);
      return LEFT.some((one) => one === standing) ? 1 : 0;
    }
    const counts = await Promise.all(LEFT.map((standing) => ledger.count(standing)));
    return counts.reduce((sum, one) => sum + one, 0);
  };

  return async (id: string | null): Promise<Replayed> => {
    if (id !== null && (await ledger.standing(id)) === undefined) throw eventNotFound();
    const replayed = await ledger.retry(id, clock.now());
    await applyAll();
    return { replayed, left: await countLeft(id) };
  };
};
