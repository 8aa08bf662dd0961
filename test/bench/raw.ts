import { availableParallelism } from 'node:os';
import { runProgram } from './program.ts';
import { median } from './statistics.ts';

export interface HashJob {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly seconds: number;
  readonly times: number;
}

export interface DiskJob {
  readonly folder: string;
  readonly seconds: number;
}

export interface RedisJob {
  readonly url: string;
  readonly count: number;
  /** The size of each value. */
  readonly bytes: number;
}

/** The default cost of a password hash. */
const COST = { N: 2 ** 15, r: 8, p: 3 };

const hash = (seconds: number, times: number) =>
  runProgram<HashJob, { took: readonly number[] }>('raw-scrypt', { ...COST, seconds, times });

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The hashes a second of the idle machine, by one bare process for each core. */
export const rawHashesPerSecond = async (seconds: number): Promise<number> => {
  const cores = Array.from({ length: availableParallelism() }, () => hash(seconds, Number.MAX_SAFE_INTEGER));
  const rates = (await Promise.all(cores)).map(({ took }) => took.length / (sum(took) / 1_000));
  return sum(rates);
};

/** The milliseconds of one hash: the median of a few, after one to warm up. */
export const rawHashMilliseconds = async (times: number): Promise<number> =>
  median((await hash(Number.MAX_SAFE_INTEGER, times + 1)).took.slice(1));

/** The number of writes a second that append 4 KiB to a file in the folder and reach the disk. */
export const rawSyncsPerSecond = async (folder: string, seconds: number): Promise<number> =>
  (await runProgram<DiskJob, { perSecond: number }>('raw-disk', { folder, seconds })).perSecond;

/** The milliseconds of this many pipelined SETs, page by page. */
export const rawSetsMilliseconds = async (job: RedisJob): Promise<number> =>
  (await runProgram<RedisJob, { took: number }>('raw-redis', job)).took;
