import { latestEnd } from '../../core/leases.ts';
import type { Clock, Leases } from '../../core/ports.ts';
import { by } from './records.ts';
import { text, whole } from './scalars.ts';

interface Held {
  readonly fence: number;
  /** Null once it was given back: the next holder's fence counts on. */
  readonly holder: string | null;
  readonly endsAt: number;
  readonly lastSuccessAt: number | null;
}

/** Who does which background work, by the name of the lease. */
export type HeldLeases = Map<string, Held>;

/** Leases between those that share a store in memory. */
export const makeMemoryLeases = (leases: HeldLeases, clock: Clock): Leases => ({
  take: async (name, holder, milliseconds) => {
    const now = clock.now();
    const endsAt = now + whole(milliseconds);
    const held = leases.get(text(name)) ?? { fence: 0, holder: null, endsAt: now, lastSuccessAt: null };
    const isOwn = held.holder === text(holder);
    const isFree = held.holder === null || held.endsAt <= now || held.endsAt > latestEnd(endsAt);
    if (!isOwn && !isFree) return undefined;
    const fence = isOwn ? held.fence : held.fence + 1;
    leases.set(name, { ...held, fence, holder, endsAt });
    return { name, fence };
  },
  release: async (name, holder) => {
    const held = leases.get(text(name));
    if (held?.holder === text(holder)) leases.set(name, { ...held, holder: null });
  },
  noteSuccess: async (name) => {
    const held = leases.get(text(name));
    if (held !== undefined) leases.set(name, { ...held, lastSuccessAt: clock.now() });
  },
  list: async () =>
    [...leases]
      .map(([name, { holder, endsAt, lastSuccessAt }]) => ({
        name,
        heldBy: endsAt > clock.now() ? holder : null,
        lastSuccessAt,
      }))
      .sort(by(({ name }) => name)),
});
