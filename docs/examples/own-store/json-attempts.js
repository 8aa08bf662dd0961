// @ts-check
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Milliseconds. A window that begins further ahead than this stems from before the clock was set back, and is over. */
const CLOCK_SET_BACK_MS = 60_000;

/** @type {(value: unknown) => string} */
const text = (value) => {
  if (typeof value !== 'string') throw new TypeError('A key must be text.');
  return value;
};

/** @type {(value: unknown) => number} */
const whole = (value) => {
  if (!Number.isSafeInteger(value)) throw new TypeError('A time must be a whole number.');
  return Number(value);
};

/** @type {(file: string) => Promise<Record<string, Counted>>} */
const readCounts = async (file) => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
};

/**
 * Counts of wrong attempts in a JSON file, for one process.
 *
 * @param {string} file
 * @returns {Promise<import('gatehouse').AttemptsStore>}
 */
export const openJsonAttempts = async (file) => {
  const counts = new Map(Object.entries(await readCounts(file)));

  const write = async () => {
    // A crash leaves the old file or the new one, never half of one.
    await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(counts)), { flush: true });
    await rename(`${file}.new`, file);
  };
  let written = Promise.resolve();
  /** @type {Promise<void> | undefined} */
  let next;
  /** Resolves when the current counts are on the disk. Calls that come in during a write share the next one. */
  const save = () => {
    next ??= written
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return write();
      });
    written = next;
    return next;
  };

  /** @type {(key: string, now: number) => Counted | undefined} */
  const live = (key, now) => {
    const entry = counts.get(key);
    return entry && entry.endsAt > now && entry.firstAt <= now + CLOCK_SET_BACK_MS ? entry : undefined;
  };

  /** @type {(prefix: string) => string[]} */
  const keysUnder = (prefix) => {
    const begins = text(prefix);
    return [...counts.keys()].filter((key) => key.startsWith(begins));
  };

  /** @type {(key: string, milliseconds: number, now: number) => Counted} */
  const count = (key, milliseconds, now) => {
    const fresh = { count: 0, firstAt: whole(now), endsAt: now + whole(milliseconds) };
    const before = live(text(key), now) ?? fresh;
    const counted = { ...before, count: before.count + 1 };
    counts.set(key, counted);
    return counted;
  };

  /** @type {(counted: Counted) => { count: number, firstAt: number }} */
  const shown = ({ count, firstAt }) => ({ count, firstAt });

  return {
    find: async (key, now) => {
      const counted = live(text(key), whole(now));
      return counted && shown(counted);
    },
    add: async (key, milliseconds, now) => {
      const counted = count(key, milliseconds, now);
      await save();
      return shown(counted);
    },
    addInTurn: async (wanted, milliseconds, now) => {
      /** @type {Counted | undefined} */
      let over;
      for (const { key, most } of wanted.map((one) => ({ key: text(one.key), most: whole(one.most) }))) {
        const counted = count(over ? `nobody:${key}` : key, milliseconds, now);
        if (counted.count > most) over ??= counted;
      }
      await save();
      return over && shown(over);
    },
    remove: async (keys) => {
      for (const key of keys.map(text)) counts.delete(key);
      await save();
    },
    most: async (prefix, now) => {
      whole(now);
      return Math.max(0, ...keysUnder(prefix).map((key) => live(key, now)?.count ?? 0));
    },
    removeUnder: async (prefix) => {
      for (const key of keysUnder(prefix)) counts.delete(key);
      await save();
    },
    sweep: async (now, limit) => {
      whole(now);
      const over = [...counts].filter(([, { endsAt }]) => endsAt <= now).slice(0, whole(limit));
      for (const [key] of over) counts.delete(key);
      if (over.length > 0) await save();
      return over.length;
    },
  };
};

/** @typedef {{ readonly count: number, readonly firstAt: number, readonly endsAt: number }} Counted */
