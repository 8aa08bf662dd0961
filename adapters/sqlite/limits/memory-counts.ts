import type { Bucket } from '../../../core/ports.ts';

/** Calls of one key that arrived together. */
export interface Calls {
  readonly count: number;
  /** The length of their window in milliseconds. */
  readonly window: number;
}

/** A key's window after calls were counted. */
export interface CallCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/**
 * Counts calls in fixed windows by key. A window begins with its first call. It never ends later than its length from now,
 * so that a clock that is set back cannot make it endless.
 */
export interface Counts {
  add(calls: ReadonlyMap<string, Calls>, now: number): ReadonlyMap<string, CallCount>;
  /** Deletes some expired windows; true if there may be many more. */
  sweep(now: number): boolean;
}

/** Counts of this process alone. */
export const makeMemoryCounts = (): Counts => {
  const windows = new Map<string, CallCount>();
  return {
    add: (calls, now) => {
      const counted = new Map<string, CallCount>();
      for (const [key, { count, window }] of calls) {
        const current = windows.get(key);
        const isLive = current !== undefined && current.endsAt > now;
        counted.set(key, {
          count: count + (isLive ? current.count : 0),
          endsAt: isLive ? Math.min(current.endsAt, now + window) : now + window,
        });
      }
      for (const [key, callCount] of counted) windows.set(key, callCount);
      return counted;
    },
    sweep: (now) => {
      for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
      return false;
    },
  };
};

/** Unique for bucket and key. Text beyond printable ASCII becomes hexadecimal: not all of it survives JSON and SQLite. */
export const keyOf = ({ name }: Bucket, key: string): string => {
  const text = `${name.length}:${name}:${key}`;
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text, 'utf16le').toString('hex');
};
