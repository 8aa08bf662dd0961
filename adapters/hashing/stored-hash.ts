import { isBearable, isWithinWork, workOf } from './cost.ts';
import {
  type ImportedHash,
  importedHashWork,
  isWithinMemory,
  parseImportedHash,
} from './imported/imported-hash.ts';
import { type Cost, type PasswordHash, parseHash } from './phc.ts';

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
const COSTLY = 4;

export const isCostlyHash = (stored: StoredHash, standard: Cost): boolean =>
  workOfHash(stored) > COSTLY * workOf(standard);
