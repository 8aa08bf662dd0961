import { runProgram } from './program.ts';

export interface StoresJob {
  readonly folder: string;
  /** Those that choose the store. */
  readonly settings: Readonly<Record<string, string>>;
  /** Of each measurement. */
  readonly seconds: number;
  readonly users: number;
  /** Calls that are under way at once. */
  readonly inFlight: number;
}

/** What is done to a store, by the second. */
export interface StoresAnswer {
  readonly import: number;
  readonly login: number;
  readonly refresh: number;
  readonly me: number;
  readonly create: number;
  readonly read: number;
  readonly list: number;
  /** Records. */
  readonly sync: number;
}

/** Measures the core over a store without a server before it, in a process of its own. */
export const onStore = (job: StoresJob): Promise<StoresAnswer> =>
  runProgram<StoresJob, StoresAnswer>('stores', job);

export interface RefreshJob {
  /** Of an empty database. */
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Refreshes whose dead rows are looked for afterwards. */
  readonly refreshes: number;
}

/** Megabytes of the table of sessions and of its indexes. */
export interface SessionsSize {
  readonly table: number;
  readonly indexes: number;
}

export interface RefreshAnswer {
  /** By the second and by rounds: by the store, and one statement by the driver. */
  readonly stored: readonly number[];
  readonly inserted: readonly number[];
  readonly before: SessionsSize;
  readonly after: SessionsSize;
  /** Whether the rows that changed in place were spared new entries in the indexes: a share. */
  readonly inPlace: number;
}

/** Measures the change of a session in PostgreSQL against one statement over a bare pool, in a process of its own. */
export const refreshes = (job: RefreshJob): Promise<RefreshAnswer> =>
  runProgram<RefreshJob, RefreshAnswer>('postgresql-refresh', job);

/** How often a second, with so many under way, each of which knows its place among them. */
export const rateOf = async (
  seconds: number,
  inFlight: number,
  call: (place: number) => Promise<unknown>,
): Promise<number> => {
  const began = performance.now();
  let count = 0;
  const caller = async (place: number) => {
    while (performance.now() - began < seconds * 1_000) {
      await call(place);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, place) => caller(place)));
  return count / ((performance.now() - began) / 1_000);
};
