import { runProgram } from './program.ts';

export interface KeysJob {
  /** Empty: the settings' defaults make a master key there. */
  readonly folder: string;
  /** Of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
}

/** How often a second, by rounds: the core's, and the cipher's alone. */
export interface KeysAnswer {
  readonly wrapped: number[];
  readonly sealed: number[];
  readonly unwrapped: number[];
  readonly opened: number[];
}

/** Measures the core without a server before it, in a process of its own. */
export const coreKeys = (job: KeysJob): Promise<KeysAnswer> =>
  runProgram<KeysJob, KeysAnswer>('data-keys', job);
