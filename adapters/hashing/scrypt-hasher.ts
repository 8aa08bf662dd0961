import type { HashedFor, PasswordHasher } from '../../core/accounts/ports.ts';
import type { Log } from '../../core/ports.ts';
import { isBearable, isDearer, isSameCost, topUpOf } from './cost.ts';
import { type Cost, formatHash, type PasswordHash, parseHash } from './phc.ts';

/** One scrypt run, which gives `length` bytes. */
export interface ScryptRun {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly cost: Cost;
  readonly length: number;
}

export interface ScryptJob extends ScryptRun {
  /** Runs that follow for the time they take: nobody needs what they give. */
  readonly topUp: readonly Cost[];
}

export type Derive = (job: ScryptJob, who: HashedFor) => Promise<Uint8Array>;

export interface ScryptNeeds {
  /** The cost of new hashes. It must be within the limits for stored ones. */
  readonly cost: Cost;
  readonly derive: Derive;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
}

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** In time that depends on the length alone. */
const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.reduce((sum, byte, at) => sum | (byte ^ (other[at] ?? 0)), 0) === 0;

/**
 * Password hashes by scrypt, whatever runs it. A stored hash that cannot be read, or would cost more than we bear,
 * is logged and never right; to the caller it looks and costs the same as an unknown user. So does a cheaper one.
 */
export const makeScryptHasher = ({ cost, derive, randomBytes, log }: ScryptNeeds): PasswordHasher => {
  if (!isBearable(cost)) throw new RangeError('Passwords cannot be hashed at this cost.');

  const standard = { cost, length: KEY_BYTES, topUp: [] };

  const isCurrent = (known: PasswordHash) =>
    isSameCost(known.cost, cost) && known.salt.length === SALT_BYTES && known.key.length === KEY_BYTES;

  const isVerifiable = (known: PasswordHash | undefined): known is PasswordHash =>
    known !== undefined && isBearable(known.cost);

  const read = (hash: string): PasswordHash | undefined => {
    const known = parseHash(hash);
    if (isVerifiable(known)) return known;
    log.error('password.not_verifiable', { reason: known === undefined ? 'unreadable' : 'too_costly' });
    return undefined;
  };

  return {
    hash: async (password, { for: who }) => {
      const salt = randomBytes(SALT_BYTES);
      return formatHash({ cost, salt, key: await derive({ ...standard, password, salt }, who) });
    },
    verify: async (password, hash, { for: who }) => {
      const known = hash === null ? undefined : read(hash);
      if (known === undefined) {
        await derive({ ...standard, password, salt: new Uint8Array(SALT_BYTES) }, who);
        return { right: false, weak: false };
      }
      const { salt, cost: itsCost } = known;
      const topUp = topUpOf(itsCost, cost);
      const key = await derive({ password, salt, cost: itsCost, length: known.key.length, topUp }, who);
      return { right: isEqual(key, known.key), weak: !isCurrent(known) };
    },
    accepts: (hash) => isVerifiable(parseHash(hash)),
    isDearer: (hash) => {
      const known = parseHash(hash);
      return isVerifiable(known) && isDearer(known.cost, cost);
    },
  };
};
