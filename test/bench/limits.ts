import { runProgram } from './program.ts';

export interface LimitsJob {
  readonly url: string;
  /** The length of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** Concurrent calls. */
  readonly inFlight: number;
}

/** By rounds: calls a second, and the median microseconds of calls one after the other. */
export interface LimitsAnswer {
  readonly taken: number[];
  readonly scripted: number[];
  readonly takenAlone: number[];
  readonly scriptedAlone: number[];
  /** Script calls in Redis for each call of the limiter, for calls one after the other and for concurrent calls. */
  readonly tripsAlone: number;
  readonly trips: number;
}

/** Measures the limiter against its script over a bare client, in a process of its own. */
export const limits = (job: LimitsJob): Promise<LimitsAnswer> =>
  runProgram<LimitsJob, LimitsAnswer>('limits', job);
