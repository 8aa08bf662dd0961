import { rounds } from '../contracts/race.ts';

/** The number of repetitions of races and random histories in this run. */
export const ROUNDS = rounds();
