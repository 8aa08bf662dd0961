import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { type WatchedFile, WrongFile, watchFile } from '../files/watched-file.ts';
import { makeSigningKeySet, parseSigningKeySet, type SigningJwk } from './signing-key-file.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: webcrypto.CryptoKey | KeyObject;
  readonly publicKey: webcrypto.CryptoKey | KeyObject;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** Unix seconds. */
  readonly nbf: number;
  /** Unix seconds; infinite when no end is set. */
  readonly exp: number;
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
  exp: jwk.exp ?? Number.POSITIVE_INFINITY,
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
      parse: async (text) => {
        const keys = await Promise.all(parseSigningKeySet(text).keys.map(importKey));
        // Newest last; of two keys with the same second the later in the file is the newer.
        return keys.sort((first, second) => first.nbf - second.nbf);
      },
    }),
  );

/** A new key that is not stored in a file and ends with this process. `now` in epoch milliseconds. */
export const makeEphemeralSigningKeys = (now: number): SigningKeys => {
  const keys = makeSigningKeySet(now).keys.map((jwk) => ({
    ...describeKey(jwk),
    privateKey: createPrivateKey({ format: 'jwk', key: { ...publicPart(jwk), d: jwk.d } }),
    publicKey: createPublicKey({ format: 'jwk', key: publicPart(jwk) }),
  }));
  return makeSigningKeys({ current: () => keys, refresh: async () => undefined, close: () => undefined });
};

const makeSigningKeys = (watched: WatchedFile<readonly SigningKey[]>): SigningKeys => {
  const live = (now: number) => watched.current().filter((key) => now < key.exp * 1000);

  return {
    current: (now) => {
      const keys = live(now);
      // If all keys start in the future, as after the clock was set back, the oldest signs.
      const key = keys.findLast(({ nbf }) => nbf * 1000 <= now) ?? keys[0];
      if (key === undefined) throw unavailable('no_signing_key', 'There is no key to sign with.');
      return key;
    },
    find: (kid, now) => live(now).find((key) => key.kid === kid),
    published: (now) => live(now).map((key) => key.publicJwk),
    refresh: watched.refresh,
    close: watched.close,
  };
};
