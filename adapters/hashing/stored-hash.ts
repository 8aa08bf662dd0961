import { isBearable, isWithinWork, workOf } from './cost.ts';
import { type ForeignHash, foreignWorkOf, isWithinMemory, parseForeign } from './foreign/foreign-hash.ts';
import { type Cost, type PasswordHash, parseHash } from './phc.ts';

/** A password hash as the store has it: by scrypt, ours or not, or by another algorithm. */
export type StoredHash = PasswordHash | ForeignHash;

export const isForeign = (stored: StoredHash): stored is ForeignHash => 'scheme' in stored;

/** Undefined for what is no hash that we know. */
export const readStored = (text: string): StoredHash | undefined => parseHash(text) ?? parseForeign(text);

/** A hash from elsewhere must not decide how much of the machine one login takes. */
export const isBearableHash = (stored: StoredHash): boolean =>
  isForeign(stored) ? isWithinMemory(stored) && isWithinWork(foreignWorkOf(stored)) : isBearable(stored.cost);

export const isDearerHash = (stored: StoredHash, standard: Cost): boolean =>
  (isForeign(stored) ? foreignWorkOf(stored) : workOf(stored.cost)) > workOf(standard);
