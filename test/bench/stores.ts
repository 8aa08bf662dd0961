import { runProgram } from './program.ts';

export interface StoresJob {
  readonly folder: string;
  /** The settings that choose the store. */
  readonly settings: Readonly<Record<string, string>>;
  /** The length of each measurement. */
  readonly seconds: number;
  readonly users: number;
  /** Concurrent calls. */
  readonly inFlight: number;
}

/** Operations a second. */
export interface StoresAnswer {
  readonly import: number;
  readonly login: number;
  readonly refresh: number;
  readonly me: number;
  readonly create: number;
  readonly read: number;
  readonly list: number;
  /** Counts records, not syncs. */
  readonly sync: number;
}

/** Measures the core over a store without a server, in a process of its own. */
export const onStore = (job: StoresJob): Promise<StoresAnswer> =>
  runProgram<StoresJob, StoresAnswer>('stores', job);

export interface RefreshJob {
  /** The URL of an empty database. */
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  /** The number of refreshes before the size is measured again. */
  readonly refreshes: number;
}

/** Megabytes of the sessions table and of its indexes. */
export interface SessionsSize {
  readonly table: number;
  readonly indexes: number;
}

export interface RefreshAnswer {
  /** Changes a second, by rounds: through the store, and by one statement of the driver. */
  readonly stored: readonly number[];
  readonly inserted: readonly number[];
  readonly before: SessionsSize;
  readonly after: SessionsSize;
  /** The share of updates in place, which add no entries to the indexes. */
  readonly inPlace: number;
}

/** Measures the change of a session in PostgreSQL against one statement over a bare pool, in a process of its own. */
export const refreshes = (job: RefreshJob): Promise<RefreshAnswer> =>
  runProgram<RefreshJob, RefreshAnswer>('postgresql-refresh', job);

/** Calls a second by `inFlight` concurrent callers; each call gets the index of its caller. */
export const rateOf = async (
  seconds: number,
  inFlight: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> => {
  const startedAt = performance.now();
  let count = 0;
  const caller = async (index: number) => {
    while (performance.now() - startedAt < seconds * 1_000) {
      await call(index);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => caller(index)));
  return count / ((performance.now() - startedAt) / 1_000);
};
