import { createHash, generateKeyPairSync } from 'node:crypto';
import { invalid } from '../../core/errors.ts';
import { isRecord, parseJson } from '../files/json.ts';
import { WrongFile } from '../files/watched-file.ts';

/** A private EC key on P-256 as a JWK (RFC 7517), with the times that its use follows, in Unix seconds. */
export interface SigningJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid: string;
  /** When it was made; not there where the file does not say. */
  readonly iat?: number;
  /** From when on it signs. Where the file does not say: from when it was made, else before all others. */
  readonly nbf: number;
  /** Until when it is published and believed; without it, until a newer one replaces it. */
  readonly exp?: number;
}

/** What a signing key file holds: a JWK set, or one JWK, which is read as a set of one. */
export interface SigningKeySet {
  readonly keys: readonly SigningJwk[];
}

// Seconds by which the clocks of this service and of verifiers may differ.
const SPARE = 600;

const unix = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** The key id is the key's thumbprint (RFC 7638); one that begins like an option could not be typed to a command. */
const thumbprint = (x: string, y: string) =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

const makeKey = (iat: number, nbf: number): SigningJwk => {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  });
  const kid = thumbprint(x, y);
  return kid.startsWith('-') ? makeKey(iat, nbf) : { kty: 'EC', crv: 'P-256', x, y, d, kid, iat, nbf };
};

/** A first key set, whose one key signs from `now` (epoch milliseconds) on. */
export const makeSigningKeySet = (now: number): SigningKeySet => ({ keys: [makeKey(unix(now), unix(now))] });

/**
 * The set with a new key that is published at once and signs after `delaySeconds`; the others stay until the tokens
 * they signed, which live `tokenSeconds`, are over. Those whose time is up go. `now` in epoch milliseconds.
 */
export const rotateSigningKeys = (
  set: SigningKeySet,
  now: number,
  { tokenSeconds, delaySeconds }: { readonly tokenSeconds: number; readonly delaySeconds: number },
): SigningKeySet => {
  const made = makeKey(unix(now), unix(now) + delaySeconds);
  const end = made.nbf + tokenSeconds + SPARE;
  const older = set.keys
    .filter((key) => key.exp === undefined || key.exp > unix(now))
    // One that waits for its turn must not take it from the new one later.
    .map((key) => ({ ...key, nbf: Math.min(key.nbf, made.nbf), exp: Math.min(key.exp ?? end, end) }));
  return { keys: [...older, made] };
};

/** Sorted by when they begin to sign; where two begin in one second the later in the file is the newer. */
const inOrder = (set: SigningKeySet, now: number): readonly SigningJwk[] =>
  set.keys
    .filter((key) => key.exp === undefined || key.exp > unix(now))
    .toSorted((one, other) => one.nbf - other.nbf);

const signsNow = (set: SigningKeySet, now: number): SigningJwk | undefined => {
  const keys = inOrder(set, now);
  return keys.findLast((key) => key.nbf <= unix(now)) ?? keys[0];
};

/** What a key of the set is for at `now`. */
export const signingKeyState = (
  set: SigningKeySet,
  { kid, nbf, exp }: SigningJwk,
  now: number,
): 'next' | 'current' | 'old' | 'over' => {
  if (exp !== undefined && exp <= unix(now)) return 'over';
  if (kid === signsNow(set, now)?.kid) return 'current';
  return nbf > unix(now) ? 'next' : 'old';
};

/** The set without that key. Throws `invalid` (`unknown_key`, `current_key`). */
export const retireSigningKey = (set: SigningKeySet, kid: string, now: number): SigningKeySet => {
  if (!set.keys.some((key) => key.kid === kid)) {
    throw invalid('unknown_key', 'There is no such key in the set.');
  }
  if (kid === signsNow(set, now)?.kid) throw invalid('current_key', 'This key signs now: rotate first.');
  return { keys: set.keys.filter((key) => key.kid !== kid) };
};

const isCoordinate = (value: unknown): value is string => {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === value;
};

const isTime = (value: unknown): value is number => Number.isSafeInteger(value);
const isTimeOrNone = (value: unknown): value is number | undefined => value === undefined || isTime(value);

const readKey = (key: unknown): SigningJwk => {
  if (!isRecord(key)) throw new WrongFile('has a key that is not an object');
  const { kty, crv, x, y, d, iat, nbf = iat ?? 0, exp } = key;
  if (kty !== 'EC' || crv !== 'P-256' || !isCoordinate(x) || !isCoordinate(y) || !isCoordinate(d)) {
    throw new WrongFile('has a key that is not a private EC key on P-256');
  }
  const { kid = thumbprint(x, y) } = key;
  if (typeof kid !== 'string' || kid === '') throw new WrongFile('has a key whose kid is not a text');
  if (!isTimeOrNone(iat) || !isTime(nbf) || !isTimeOrNone(exp)) {
    throw new WrongFile('has a key whose iat, nbf or exp is not in Unix seconds');
  }
  const times = { ...(iat !== undefined && { iat }), nbf, ...(exp !== undefined && { exp }) };
  return { kty, crv, x, y, d, kid, ...times };
};

/** Reads the content of a signing key file. Throws `WrongFile`. */
export const parseSigningKeySet = (text: string): SigningKeySet => {
  const set = parseJson(text);
  const given = isRecord(set) && 'kty' in set ? [set] : isRecord(set) && set.keys;
  if (!Array.isArray(given)) throw new WrongFile('is neither a JWK set nor a JWK');
  const keys = given.map(readKey);
  if (keys.length === 0) throw new WrongFile('has no key');
  if (new Set(keys.map((key) => key.kid)).size < keys.length) throw new WrongFile('has a kid twice');
  return { keys };
};
