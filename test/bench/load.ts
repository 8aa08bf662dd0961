import { runProgram } from './program.ts';
import type { Client } from './request.ts';

export interface LoadJob {
  readonly port: number;
  readonly seconds: number;
  /** Whether each answer holds the refresh token of the next request. */
  readonly rotates: boolean;
  readonly clients: readonly Client[];
}

export interface LoadAnswer {
  /** Answers 200 by the second, until the last of them that came in time. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Answers of another status. */
  readonly others: number;
  /** How much of a core the clients took themselves. */
  readonly ownCores: number;
  /** What each would ask for next. */
  readonly clients: readonly Client[];
}

/** Loads a server from a process of its own. */
export const load = (job: LoadJob): Promise<LoadAnswer> => runProgram<LoadJob, LoadAnswer>('load', job);
