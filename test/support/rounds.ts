import { rounds } from '../contracts/race.ts';

/** How often this run repeats what it repeats. */
export const ROUNDS = rounds();
