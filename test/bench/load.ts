import { runProgram } from './program.ts';
import type { Client } from './request.ts';

export interface LoadJob {
  readonly port: number;
  readonly seconds: number;
  /** Whether each answer contains the refresh token of the next request. */
  readonly rotates: boolean;
  readonly clients: readonly Client[];
}

export interface LoadAnswer {
  /** Answers with 200 a second, until the last of them within the time. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  /** The number of answers with another status. */
  readonly others: number;
  /** The cores that the clients used themselves. */
  readonly ownCores: number;
  /** The next request of each client. */
  readonly clients: readonly Client[];
}

/** Loads a server from a process of its own. */
export const load = (job: LoadJob): Promise<LoadAnswer> => runProgram<LoadJob, LoadAnswer>('load', job);
