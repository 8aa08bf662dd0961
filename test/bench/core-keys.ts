import { runProgram } from './program.ts';

export interface KeysJob {
  /** An empty folder, in which the default settings create a master key. */
  readonly folder: string;
  /** The length of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
}

/** Operations a second, by rounds: `wrapped` and `unwrapped` by the core, `sealed` and `opened` by the bare cipher. */
export interface KeysAnswer {
  readonly wrapped: number[];
  readonly sealed: number[];
  readonly unwrapped: number[];
  readonly opened: number[];
}

/** Measures the core without a server, in a process of its own. */
export const coreKeys = (job: KeysJob): Promise<KeysAnswer> =>
  runProgram<KeysJob, KeysAnswer>('data-keys', job);
