import type { Attempts } from '../../core/accounts/account.ts';
import { CLOCK_SET_BACK } from '../../core/accounts/policy.ts';
import type { AttemptsStore } from '../../core/accounts/ports.ts';
import { due } from './records.ts';
import { text, whole } from './scalars.ts';

interface Counted extends Attempts {
  readonly key: string;
  readonly endsAt: number;
}

/** Counts of wrong tries, by key. */
export type CountedTries = Map<string, Counted>;

/** A window that begins later than the clocks of two processes differ was counted before the clock was set back. */
const isLive = ({ firstAt, endsAt }: Counted, now: number) =>
  endsAt > whole(now) && firstAt <= now + CLOCK_SET_BACK;

const shown = ({ count, firstAt }: Counted): Attempts => ({ count, firstAt });

/** Counts of wrong tries in memory. */
export const makeMemoryAttemptsStore = (tries: CountedTries): AttemptsStore => {
  const find = (key: string, now: number) => {
    const found = tries.get(text(key));
    return found !== undefined && isLive(found, now) ? found : undefined;
  };
  const add = (key: string, milliseconds: number, now: number): Attempts => {
    const begun = { key, count: 0, firstAt: now, endsAt: whole(now) + whole(milliseconds) };
    const before = find(key, now) ?? begun;
    const counted = { ...before, count: before.count + 1 };
    tries.set(key, counted);
    return shown(counted);
  };
  const under = (prefix: string) => [...tries.values()].filter(({ key }) => key.startsWith(text(prefix)));

  return {
    find: async (key, now) => {
      const found = find(key, whole(now));
      return found && shown(found);
    },
    add: async (key, milliseconds, now) => add(key, milliseconds, now),
    addInTurn: async (counts, milliseconds, now) => {
      for (const { key, most } of counts) {
        text(key);
        whole(most);
      }
      let over: Attempts | undefined;
      for (const { key, most } of counts) {
        const counted = add(over === undefined ? key : `nobody:${key}`, milliseconds, now);
        if (counted.count > most) over ??= counted;
      }
      return over;
    },
    remove: async (keys) => {
      for (const key of keys.map(text)) tries.delete(key);
    },
    most: async (prefix, now) =>
      under(text(prefix))
        .filter((one) => isLive(one, now))
        .reduce((most, { count }) => Math.max(most, count), 0),
    removeUnder: async (prefix) => {
      for (const { key } of under(text(prefix))) tries.delete(key);
    },
    sweep: async (now, limit) => {
      const swept = due([...tries.values()], ({ endsAt }) => endsAt, now, limit);
      for (const { key } of swept) tries.delete(key);
      return swept.length;
    },
  };
};
