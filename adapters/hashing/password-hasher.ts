import type { HashedFor, PasswordHasher } from '../../core/accounts/ports.ts';
import { invalid, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { isBearable, isSameCost } from './cost.ts';
import { FIREBASE_KEY_BYTES, keystreamOf } from './foreign/firebase.ts';
import type { ForeignHash, ForeignScheme } from './foreign/foreign-hash.ts';
import { HASH_PACKAGE, needsPackage } from './foreign/package.ts';
import { type Cost, formatHash, type PasswordHash } from './phc.ts';
import { isBearableHash, isDearerHash, isForeign, readStored, type StoredHash } from './stored-hash.ts';

/** One run of an algorithm. It takes as long as one of ours, or longer where it is dearer. */
export interface HashJob {
  readonly password: string;
  readonly salt: Uint8Array;
  /** Bytes of the key. */
  readonly length: number;
  readonly scheme: { readonly kind: 'scrypt'; readonly cost: Cost } | ForeignScheme;
}

export type Derive = (job: HashJob, who: HashedFor) => Promise<Uint8Array>;

export interface HasherNeeds {
  /** The cost of new hashes. It must be within the limits for stored ones. */
  readonly cost: Cost;
  readonly derive: Derive;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Whether the package for bcrypt and Argon2 is there. */
  readonly isPackageInstalled: () => boolean;
  readonly log: Log;
}

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** In time that depends on the length alone. */
const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.reduce((sum, byte, at) => sum | (byte ^ (other[at] ?? 0)), 0) === 0;

/**
 * Password hashes by scrypt, whatever runs it, and the check of hashes that other products made. A stored hash that cannot
 * be read, or would cost more than we bear, is logged and never right; to the caller it looks and costs the same as an
 * unknown user. So does a cheaper one.
 */
export const makePasswordHasher = (needs: HasherNeeds): PasswordHasher => {
  const { cost, derive, randomBytes, isPackageInstalled, log } = needs;
  if (!isBearable(cost)) throw new RangeError('Passwords cannot be hashed at this cost.');

  const standard = { scheme: { kind: 'scrypt', cost }, length: KEY_BYTES } as const;

  const isCurrent = (known: PasswordHash) =>
    known.form === 'scrypt' &&
    isSameCost(known.cost, cost) &&
    known.salt.length === SALT_BYTES &&
    known.key.length === KEY_BYTES;

  const isVerifiable = (known: StoredHash | undefined): known is StoredHash =>
    known !== undefined && isBearableHash(known);

  const lacksPackage = (known: StoredHash) =>
    isForeign(known) && needsPackage(known) && !isPackageInstalled();

  const read = (hash: string): StoredHash | undefined => {
    const known = readStored(hash);
    if (isVerifiable(known)) return known;
    log.error('password.not_verifiable', { reason: known === undefined ? 'unreadable' : 'too_costly' });
    return undefined;
  };

  const verifyForeign = async (known: ForeignHash, password: string, who: HashedFor) => {
    const { scheme, salt, key } = known;
    // Never "wrong": the password may be right, and a try would count against its owner.
    if (lacksPackage(known)) {
      log.error('password.package_missing', { reason: `npm install --save-prod ${HASH_PACKAGE}` });
      throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.', 60);
    }
    const made = await derive({ password, salt, scheme, length: key.length }, who);
    return isEqual(made, key);
  };

  const verifyScrypt = async (known: PasswordHash, password: string, who: HashedFor) => {
    const { form, salt, key, cost: itsCost } = known;
    const job = { password, salt, scheme: { kind: 'scrypt', cost: itsCost } } as const;
    if (form === 'scrypt') return isEqual(await derive({ ...job, length: key.length }, who), key);
    const made = await derive({ ...job, length: FIREBASE_KEY_BYTES }, who);
    return isEqual(keystreamOf(made, key.length), key);
  };

  return {
    hash: async (password, { for: who }) => {
      const salt = randomBytes(SALT_BYTES);
      return formatHash({
        form: 'scrypt',
        cost,
        salt,
        key: await derive({ ...standard, password, salt }, who),
      });
    },
    verify: async (password, hash, { for: who, typed = password }) => {
      const known = hash === null ? undefined : read(hash);
      if (known === undefined) {
        await derive({ ...standard, password, salt: new Uint8Array(SALT_BYTES) }, who);
        return { right: false, weak: false };
      }
      if (isForeign(known)) return { right: await verifyForeign(known, typed, who), weak: true };
      const itsForm = known.form === 'scrypt' ? password : typed;
      return { right: await verifyScrypt(known, itsForm, who), weak: !isCurrent(known) };
    },
    accepts: (hash) => {
      const known = readStored(hash);
      if (!isVerifiable(known)) return false;
      if (!lacksPackage(known)) return true;
      throw invalid(
        'package_missing',
        `passwordHash needs a package that is not installed (npm install --save-prod ${HASH_PACKAGE}).`,
      );
    },
    isDearer: (hash) => {
      const known = readStored(hash);
      return isVerifiable(known) && isDearerHash(known, cost);
    },
  };
};
