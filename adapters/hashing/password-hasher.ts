import { timingSafeEqual } from 'node:crypto';
import type { HashedFor, PasswordHasher } from '../../core/accounts/ports.ts';
import { invalid, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import {
  isBearable,
  isBearableHash,
  isCostlierHash,
  isCostlyHash,
  isImportedHash,
  isSameCost,
  readStored,
  type StoredHash,
} from './hash-cost.ts';
import type { Derive } from './hash-job.ts';
import { FIREBASE_KEY_BYTES, keystreamOf } from './imported/firebase.ts';
import { HASH_PACKAGE, requiresPackage } from './imported/hash-package.ts';
import type { ImportedHash } from './imported/imported-hash.ts';
import { type Cost, formatHash, type PasswordHash } from './phc.ts';
import { makeMeasureVerification } from './verification-estimate.ts';

export interface HasherDeps {
  /** The cost of new hashes. It must be within the limits for stored ones. */
  readonly cost: Cost;
  readonly derive: Derive;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Whether the package for bcrypt and Argon2 is installed. */
  readonly isPackageInstalled: () => boolean;
  readonly log: Log;
}

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Compares in a time that depends only on the length. */
const isEqual = (first: Uint8Array, second: Uint8Array) =>
  first.length === second.length && timingSafeEqual(first, second);

/**
 * Hashes passwords with scrypt, and verifies hashes of other products. An unreadable or too costly stored hash is logged and
 * never matches: to the caller it looks like an unknown user. Each check takes the time of a hash at `cost`, or longer.
 */
export const makePasswordHasher = (deps: HasherDeps): PasswordHasher => {
  const { cost, derive, randomBytes, isPackageInstalled, log } = deps;
  if (!isBearable(cost)) throw new RangeError('Passwords cannot be hashed at this cost.');

  const standard = { scheme: { kind: 'scrypt', cost }, length: KEY_BYTES } as const;

  const isCurrent = (stored: PasswordHash) =>
    stored.form === 'scrypt' &&
    isSameCost(stored.cost, cost) &&
    stored.salt.length === SALT_BYTES &&
    stored.key.length === KEY_BYTES;

  const isVerifiable = (stored: StoredHash | undefined): stored is StoredHash =>
    stored !== undefined && isBearableHash(stored);

  const lacksPackage = (stored: StoredHash) =>
    isImportedHash(stored) && requiresPackage(stored) && !isPackageInstalled();

  const read = (hash: string): StoredHash | undefined => {
    const stored = readStored(hash);
    if (isVerifiable(stored)) return stored;
    log.error('password.not_verifiable', { reason: stored === undefined ? 'unreadable' : 'too_costly' });
    return undefined;
  };

  const verifyImported = async (stored: ImportedHash, password: string, hashedFor: HashedFor) => {
    const { scheme, salt, key } = stored;
    // Not a mismatch: the password may be right, and a failed attempt would count against its owner.
    if (lacksPackage(stored)) {
      log.error('password.package_missing', { reason: `npm install --save-prod ${HASH_PACKAGE}` });
      throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.', 60);
    }
    const isCostly = isCostlyHash(stored, cost);
    const derived = await derive({ password, salt, scheme, length: key.length, isCostly }, hashedFor);
    return isEqual(derived.key, key);
  };

  const verifyScrypt = async (stored: PasswordHash, password: string, hashedFor: HashedFor) => {
    const { form, salt, key, cost: storedCost } = stored;
    const isCostly = isCostlyHash(stored, cost);
    const job = { password, salt, scheme: { kind: 'scrypt', cost: storedCost }, isCostly } as const;
    const length = form === 'scrypt' ? key.length : FIREBASE_KEY_BYTES;
    const derived = await derive({ ...job, length }, hashedFor);
    // Firebase does not store scrypt's key, but uses it for a cipher.
    return isEqual(form === 'scrypt' ? derived.key : keystreamOf(derived.key, key.length), key);
  };

  return {
    hash: async (password, { for: hashedFor }) => {
      const salt = randomBytes(SALT_BYTES);
      const { key } = await derive({ ...standard, password, salt }, hashedFor);
      return formatHash({ form: 'scrypt', cost, salt, key });
    },
    verify: async (password, hash, { for: hashedFor, typed = password }) => {
      const stored = hash === null ? undefined : read(hash);
      if (stored === undefined) {
        await derive({ ...standard, password, salt: new Uint8Array(SALT_BYTES) }, hashedFor);
        return { isCorrect: false, isOutdated: false };
      }
      // `password` is normalised, as for our own hashes; other products hashed what was typed.
      if (isImportedHash(stored))
        return { isCorrect: await verifyImported(stored, typed, hashedFor), isOutdated: true };
      const passwordForm = stored.form === 'scrypt' ? password : typed;
      return {
        isCorrect: await verifyScrypt(stored, passwordForm, hashedFor),
        isOutdated: !isCurrent(stored),
      };
    },
    accepts: (hash) => {
      const stored = readStored(hash);
      if (!isVerifiable(stored)) return false;
      if (!lacksPackage(stored)) return true;
      throw invalid(
        'package_missing',
        `passwordHash needs a package that is not installed (npm install --save-prod ${HASH_PACKAGE}).`,
      );
    },
    measureVerification: makeMeasureVerification({ derive, isPackageInstalled }),
    isCostlier: (hash) => {
      const stored = readStored(hash);
      return isVerifiable(stored) && isCostlierHash(stored, cost);
    },
  };
};
