import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
} from 'node:crypto';
import { invalid, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { isRecord, parseJson } from '../files/json.ts';
import { type WatchedFile, WrongFile, watchFile } from '../files/watched-file.ts';

/** A private EC key on P-256 as a JWK (RFC 7517). Its times are Unix seconds. */
export interface SigningJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid: string;
  /** When the key was made; absent if the file does not say. */
  readonly iat?: number;
  /** When the key starts to sign. Default: `iat`, else 0, before all other keys. */
  readonly nbf: number;
  /** Until when the key is published and accepted; absent: without end. */
  readonly exp?: number;
}

/** What a signing key file holds: a JWK set, or one JWK, which is read as a set of one. */
export interface SigningKeySet {
  readonly keys: readonly SigningJwk[];
}

// The clocks of this service and of verifiers may differ.
const CLOCK_TOLERANCE_SECONDS = 600;

export const unixSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

type Times = Pick<SigningJwk, 'nbf' | 'exp'>;

/** The keys that have not expired. */
const live = <Key extends Times>(keys: readonly Key[], now: number): readonly Key[] =>
  keys.filter(({ exp }) => exp === undefined || exp > unixSeconds(now));

/** The key id: the thumbprint of the key (RFC 7638). */
const thumbprint = (x: string, y: string) =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

const makeKey = (iat: number, nbf: number): SigningJwk => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const kid = thumbprint(x, y);
  // An id that begins with `-` would look like an option on a command line.
  return kid.startsWith('-') ? makeKey(iat, nbf) : { kty: 'EC', crv: 'P-256', x, y, d, kid, iat, nbf };
};

/** A first key set, whose one key signs from `now` (epoch milliseconds) on. */
export const makeSigningKeySet = (now: number): SigningKeySet => ({
  keys: [makeKey(unixSeconds(now), unixSeconds(now))],
});

/**
 * Adds a new key that is published at once and signs after `delaySeconds`. The other keys stay until the tokens that they
 * signed, which live `tokenSeconds`, have expired. Expired keys are removed. `now` in epoch milliseconds.
 */
export const rotateSigningKeys = (
  set: SigningKeySet,
  now: number,
  { tokenSeconds, delaySeconds }: { readonly tokenSeconds: number; readonly delaySeconds: number },
): SigningKeySet => {
  const newKey = makeKey(unixSeconds(now), unixSeconds(now) + delaySeconds);
  const end = newKey.nbf + tokenSeconds + CLOCK_TOLERANCE_SECONDS;
  const older = live(set.keys, now)
    // An older key that does not sign yet must not replace the new key later.
    .map((key) => ({ ...key, nbf: Math.min(key.nbf, newKey.nbf), exp: Math.min(key.exp ?? end, end) }));
  return { keys: [...older, newKey] };
};

/** Sorted by `nbf`; of two keys with the same second the later in the file is the newer. */
const oldestFirst = <Key extends Times>(keys: readonly Key[]): readonly Key[] =>
  keys.toSorted((first, second) => first.nbf - second.nbf);

/** The key that signs. If all keys start in the future, as after the clock was set back, the oldest signs. */
const signingKeyAt = <Key extends Times>(keys: readonly Key[], now: number): Key | undefined => {
  const candidates = oldestFirst(live(keys, now));
  return candidates.findLast(({ nbf }) => nbf <= unixSeconds(now)) ?? candidates[0];
};

export const signingKeyState = (
  set: SigningKeySet,
  { kid, nbf, exp }: SigningJwk,
  now: number,
): 'next' | 'current' | 'old' | 'over' => {
  if (exp !== undefined && exp <= unixSeconds(now)) return 'over';
  if (kid === signingKeyAt(set.keys, now)?.kid) return 'current';
  return nbf > unixSeconds(now) ? 'next' : 'old';
};

/** The set without that key. Throws `invalid` (`unknown_key`, `current_key`). */
export const retireSigningKey = (set: SigningKeySet, kid: string, now: number): SigningKeySet => {
  if (!set.keys.some((key) => key.kid === kid)) {
    throw invalid('unknown_key', 'There is no such key in the set.');
  }
  if (kid === signingKeyAt(set.keys, now)?.kid)
    throw invalid('current_key', 'This key signs now: rotate first.');
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
  const value = parseJson(text);
  const set = isRecord(value) ? value : {};
  const jwks = 'kty' in set ? [set] : set.keys;
  if (!Array.isArray(jwks)) throw new WrongFile('is neither a JWK set nor a JWK');
  const keys = jwks.map(readKey);
  if (keys.length === 0) throw new WrongFile('has no key');
  if (new Set(keys.map((key) => key.kid)).size < keys.length) throw new WrongFile('has a kid twice');
  return { keys };
};

export interface SigningKey extends Times {
  readonly kid: string;
  readonly privateKey: webcrypto.CryptoKey | KeyObject;
  readonly publicKey: webcrypto.CryptoKey | KeyObject;
  readonly publicJwk: Readonly<Record<string, string>>;
}

/** The current keys of the file. After each change of the file the keys are new objects. */
export interface SigningKeys {
  /** The key that signs at `now` (epoch milliseconds). Throws `unavailable` if all keys have expired. */
  current(now: number): SigningKey;
  /** The key with this id, unless it has expired. */
  find(kid: string, now: number): SigningKey | undefined;
  /** Public JWKs of all keys that have not expired. */
  published(now: number): readonly Readonly<Record<string, string>>[];
  /** Reads the file again now. */
  refresh(): Promise<void>;
  close(): void;
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256' };

const publicPart = ({ kty, crv, x, y }: SigningJwk) => ({ kty, crv, x, y });

const describeKey = (jwk: SigningJwk) => ({
  kid: jwk.kid,
  publicJwk: { ...publicPart(jwk), kid: jwk.kid, alg: 'ES256', use: 'sig' },
  nbf: jwk.nbf,
  ...(jwk.exp !== undefined && { exp: jwk.exp }),
});

const importKey = async (jwk: SigningJwk): Promise<SigningKey> => {
  const point = publicPart(jwk);
  try {
    const [privateKey, publicKey] = await Promise.all([
      webcrypto.subtle.importKey('jwk', { ...point, d: jwk.d }, ES256, false, ['sign']),
      webcrypto.subtle.importKey('jwk', point, ES256, true, ['verify']),
    ]);
    return { ...describeKey(jwk), privateKey, publicKey };
  } catch {
    throw new WrongFile('has a key whose members do not belong together');
  }
};

/** Opens a signing key file and watches it: a change counts within 1 s. Throws `WrongFile`. */
export const openSigningKeys = async (options: {
  readonly file: string;
  readonly log: Log;
}): Promise<SigningKeys> =>
  makeSigningKeys(
    await watchFile({
      path: options.file,
      name: 'signing',
      log: options.log,
      // Sorted, so that the keys are published from the oldest to the newest.
      parse: (text) => Promise.all(oldestFirst(parseSigningKeySet(text).keys).map(importKey)),
    }),
  );

/** A new key without a file. `now` in epoch milliseconds. Its halves are `KeyObject`s, since Web Crypto imports asynchronously. */
export const makeEphemeralSigningKeys = (now: number): SigningKeys => {
  const keys = makeSigningKeySet(now).keys.map((jwk) => ({
    ...describeKey(jwk),
    privateKey: createPrivateKey({ format: 'jwk', key: { ...publicPart(jwk), d: jwk.d } }),
    publicKey: createPublicKey({ format: 'jwk', key: publicPart(jwk) }),
  }));
  return makeSigningKeys({ current: () => keys, refresh: async () => undefined, close: () => undefined });
};

const makeSigningKeys = (watched: WatchedFile<readonly SigningKey[]>): SigningKeys => ({
  current: (now) => {
    const key = signingKeyAt(watched.current(), now);
    if (key === undefined) throw unavailable('no_signing_key', 'There is no key to sign with.');
    return key;
  },
  find: (kid, now) => live(watched.current(), now).find((key) => key.kid === kid),
  published: (now) => live(watched.current(), now).map((key) => key.publicJwk),
  refresh: watched.refresh,
  close: watched.close,
});
