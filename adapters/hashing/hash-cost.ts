import {
  type ImportedHash,
  importedHashWork,
  isWithinMemory,
  parseImportedHash,
} from './imported/imported-hash.ts';
import { type Cost, type PasswordHash, parseHash } from './phc.ts';

const MIB = 2 ** 20;
const MOST_MEMORY_BYTES = 256 * MIB;
const MOST_PARALLEL = 16;
/** Memory that scrypt needs beside its table. */
const SPARE_BYTES = 2 * MIB;

/** Bytes of the table that one run fills (RFC 7914 section 5). */
const tableOf = ({ ln, r }: Cost) => 128 * 2 ** ln * r;

/** Bytes that one run may take. Must be set explicitly: the default of Node.js, 32 MiB, rejects N = 2^15. */
export const memoryLimit = (cost: Cost): number => tableOf(cost) + SPARE_BYTES;

/** Whether we run scrypt at this cost. N < 2^(16 r) is a rule of RFC 7914 section 2. */
export const isBearable = (cost: Cost): boolean =>
  cost.ln < 16 * cost.r &&
  tableOf(cost) <= MOST_MEMORY_BYTES &&
  cost.p <= MOST_PARALLEL &&
  // Beside the table, scrypt holds a block of 128 r bytes for each of the p lanes, and two to work in.
  128 * cost.r * (cost.p + 2) <= SPARE_BYTES;

export const isSameCost = (first: Cost, second: Cost): boolean =>
  first.ln === second.ln && first.r === second.r && first.p === second.p;

/** The blocks that one run mixes; its time is proportional to them (RFC 7914 section 5). */
export const workOf = ({ ln, r, p }: Cost): number => 2 ** ln * r * p;

/** The work of the costliest allowed scrypt run, some eight seconds. Its table has 128 bytes for each block of one lane. */
const MOST_WORK = (MOST_MEMORY_BYTES / 128) * MOST_PARALLEL;

export const isWithinWork = (blocks: number): boolean => blocks <= MOST_WORK;

/** A stored password hash: by scrypt, or imported with another algorithm. */
export type StoredHash = PasswordHash | ImportedHash;

export const isImportedHash = (stored: StoredHash): stored is ImportedHash => 'scheme' in stored;

/** Undefined for an unknown form of hash. */
export const readStored = (text: string): StoredHash | undefined =>
  parseHash(text) ?? parseImportedHash(text);

/** An imported hash must not decide how much of the machine one sign-in takes. */
export const isBearableHash = (stored: StoredHash): boolean =>
  isImportedHash(stored)
    ? isWithinMemory(stored) && isWithinWork(importedHashWork(stored))
    : isBearable(stored.cost);

/** The work of a hash, in blocks that scrypt mixes. */
export const workOfHash = (stored: StoredHash): number =>
  isImportedHash(stored) ? importedHashWork(stored) : workOf(stored.cost);

export const isCostlierHash = (stored: StoredHash, standard: Cost): boolean =>
  workOfHash(stored) > workOf(standard);

/** A hash that costs more than this many standard hashes waits for the lane of costly hashes. */
const COSTLY_FACTOR = 4;

export const isCostlyHash = (stored: StoredHash, standard: Cost): boolean =>
  workOfHash(stored) > COSTLY_FACTOR * workOf(standard);
