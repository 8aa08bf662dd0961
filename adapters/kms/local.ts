import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { unavailable } from '../../core/errors.ts';
import type { Kms, Log } from '../../core/ports.ts';
import { randomBytes } from '../crypto/random.ts';
import { type WatchedFile, watchFile } from '../files/watched-file.ts';
import { contextDigest, invalidSealed } from './context-digest.ts';
import { type KeyRing, parseKeyRing } from './key-ring.ts';

const NONCE = { bytes: 12, characters: 16 };
const CIPHER = 'aes-256-gcm';
const VERSION = 'gk1';
const TAG = { authTagLength: 16 };

interface Sealed {
  readonly keyId: string;
  /** Nonce, ciphertext and tag. */
  readonly bytes: Buffer;
}

const write = ({ keyId, bytes }: Sealed): string => {
  const text = bytes.toString('base64url');
  // 12 bytes are 16 characters, so no character mixes bits of the nonce and the ciphertext.
  return `${VERSION}.${keyId}.${text.slice(0, NONCE.characters)}.${text.slice(NONCE.characters)}`;
};

// A last group of two or three base64url characters has spare bits. They must be zeros, so that each value has one spelling.
const FORM = /^gk1\.[\w-]{1,64}\.[\w-]{16}\.(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Cuts the parts out by index: capture groups would take half as long again. */
const read = (sealed: string): Sealed | undefined => {
  if (!FORM.test(sealed)) return undefined;
  const idAt = VERSION.length + 1;
  const nonceAt = sealed.indexOf('.', idAt) + 1;
  const bodyAt = nonceAt + NONCE.characters + 1;
  const text = sealed.slice(nonceAt, bodyAt - 1) + sealed.slice(bodyAt);
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < NONCE.bytes + TAG.authTagLength) return undefined;
  return { keyId: sealed.slice(idAt, nonceAt - 1), bytes };
};

/** The associated data, which the tag protects like the ciphertext. */
const associated = (keyId: string, context: string): Buffer =>
  Buffer.concat([Buffer.from(`${VERSION}.${keyId}.`), contextDigest(context)]);

const seal = (keyId: string, key: KeyObject, plain: Uint8Array, context: string): string => {
  // 96 random bits (NIST SP 800-38D section 8.2.2).
  const nonce = randomBytes(NONCE.bytes);
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(associated(keyId, context));
  const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return write({ keyId, bytes });
};

const open = ({ keyId, bytes }: Sealed, key: KeyObject, context: string): Uint8Array | undefined => {
  const end = bytes.length - TAG.authTagLength;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE.bytes), TAG);
  decipher.setAAD(associated(keyId, context)).setAuthTag(bytes.subarray(end));
  const plain = decipher.update(bytes.subarray(NONCE.bytes, end));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
};

const liveKeys = (ring: KeyRing): ReadonlyMap<string, KeyObject> => {
  const live = ring.keys.filter((key) => key.retiredAt === undefined);
  return new Map(live.map(({ id, key }) => [id, createSecretKey(key, 'base64')]));
};

/** The live keys of a ring by id, decoded once: a changed file gives a new ring object. */
const makeKeysOf = () => {
  let cached: { readonly ring: KeyRing; readonly keys: ReadonlyMap<string, KeyObject> } | undefined;
  return (ring: KeyRing): ReadonlyMap<string, KeyObject> => {
    if (cached?.ring !== ring) cached = { ring, keys: liveKeys(ring) };
    return cached.keys;
  };
};

/**
 * Seals with the current key of a ring, AES-256-GCM with random nonces of 96 bits: at most 2^32 seals a key (NIST
 * SP 800-38D section 8.3). The form is `gk1.<key id>.<nonce>.<ciphertext and tag>`.
 */
export const makeLocalKms = (ringFile: Pick<WatchedFile<KeyRing>, 'current' | 'refresh'>): Kms => {
  const keysOf = makeKeysOf();

  /** Reads the file first: another process may have sealed with a key that this process has not read yet. */
  const readKey = async (id: string): Promise<KeyObject | undefined> => {
    await ringFile.refresh();
    return keysOf(ringFile.current()).get(id);
  };

  return {
    seal: async (plain, context) => {
      const ring = ringFile.current();
      const key = keysOf(ring).get(ring.current);
      if (key === undefined) throw unavailable('no_master_key', 'There is no key to seal with.');
      return seal(ring.current, key, plain, context);
    },
    open: async (text, context) => {
      const sealed = read(text);
      if (sealed === undefined) throw invalidSealed();
      const key = keysOf(ringFile.current()).get(sealed.keyId) ?? (await readKey(sealed.keyId));
      const plain = key && open(sealed, key, context);
      if (plain === undefined) throw invalidSealed();
      return plain;
    },
    keyOf: (sealed) => read(sealed)?.keyId,
    current: async () => {
      // A rotation may just have changed the file. The caller needs the new key's id, to reseal values under it.
      await ringFile.refresh();
      return ringFile.current().current;
    },
  };
};

/** Opens a master key file and watches it: a change counts within 1 s. Throws `WrongFile`. */
export const openLocalKms = async (options: {
  readonly file: string;
  readonly log: Log;
}): Promise<Kms & Pick<WatchedFile<KeyRing>, 'refresh' | 'close'>> => {
  const { file: path, log } = options;
  const ringFile = await watchFile({ path, name: 'master', log, parse: parseKeyRing });
  return { ...makeLocalKms(ringFile), refresh: ringFile.refresh, close: ringFile.close };
};
