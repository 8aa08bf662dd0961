import { runProgram } from './program.ts';

export interface LimitsJob {
  readonly url: string;
  /** Of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** Calls under way at any time. */
  readonly inFlight: number;
}

/** By rounds: calls a second, and the median microseconds of a call that is alone. */
export interface LimitsAnswer {
  readonly taken: number[];
  readonly scripted: number[];
  readonly takenAlone: number[];
  readonly scriptedAlone: number[];
  /** Script calls that Redis counted for each call that was alone, and for each of many. */
  readonly tripsAlone: number;
  readonly trips: number;
}

/** Measures the limiter against its own script over a bare client, in a process of its own. */
export const limits = (job: LimitsJob): Promise<LimitsAnswer> =>
  runProgram<LimitsJob, LimitsAnswer>('limits', job);
