import type { Cost } from './phc.ts';

const MIB = 2 ** 20;
const MOST_MEMORY = 256 * MIB;
const MOST_PARALLEL = 16;
/** For what scrypt needs beside its table. */
const SPARE = 2 * MIB;

/** Bytes of the table that one run fills (RFC 7914 section 5). */
const tableOf = ({ ln, r }: Cost) => 128 * 2 ** ln * r;

/** Bytes that one run may take. To be set explicitly: the 32 MiB that Node.js allows refuse N = 2^15. */
export const memoryLimit = (cost: Cost): number => tableOf(cost) + SPARE;

/**
 * Whether we run scrypt at this cost: at most 256 MiB and 16 lanes, and what RFC 7914 section 2 asks (N < 2^(16 r)).
 * A hash from elsewhere must not decide how much of the machine one login takes.
 */
export const isBearable = (cost: Cost): boolean =>
  cost.ln < 16 * cost.r &&
  tableOf(cost) <= MOST_MEMORY &&
  cost.p <= MOST_PARALLEL &&
  128 * cost.r * (cost.p + 2) <= SPARE;

export const isSameCost = (one: Cost, other: Cost): boolean =>
  one.ln === other.ln && one.r === other.r && one.p === other.p;

/** The blocks that one run mixes, which is what its time goes with (RFC 7914 section 5). */
export const workOf = ({ ln, r, p }: Cost): number => 2 ** ln * r * p;

/** Whether it is no more work than the dearest scrypt run that we bear: some eight seconds. */
export const isWithinWork = (blocks: number): boolean => blocks <= (MOST_MEMORY / 128) * MOST_PARALLEL;
