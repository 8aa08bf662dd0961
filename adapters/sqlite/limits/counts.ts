/** Calls of one key that came in together. */
export interface Calls {
  readonly count: number;
  /** The length of their window in milliseconds. */
  readonly window: number;
}

/** A key's window after calls were counted. */
export interface Counted {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly ends: number;
}

/**
 * Counts calls in fixed windows by key. A window begins with its first call. It never ends later than its length from now:
 * otherwise a clock that is set back would make it endless.
 */
export interface Counts {
  add(calls: ReadonlyMap<string, Calls>, now: number): ReadonlyMap<string, Counted>;
  /** Deletes some windows that are over; true if there may be many more. */
  sweep(now: number): boolean;
}
