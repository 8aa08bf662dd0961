import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { unavailable } from '../../core/errors.ts';
import type { Kms, Log } from '../../core/ports.ts';
import { type WatchedFile, watchFile } from '../files/watched-file.ts';
import { type KeyRing, parseKeyRing } from './key-ring.ts';
import { newNonce } from './nonces.ts';
import { contextDigest, invalidSealed, readBase64url } from './sealed-text.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = 'gk1';
const TAG = { authTagLength: 16 };

interface Sealed {
  readonly keyId: string;
  readonly nonce: Buffer;
  /** Ciphertext and tag. */
  readonly body: Buffer;
}

const write = ({ keyId, nonce, body }: Sealed) =>
  `${VERSION}.${keyId}.${nonce.toString('base64url')}.${body.toString('base64url')}`;

// The 16 characters of a nonce have no bits to spare, so that they can be spelt in one way only.
const FORM = /^gk1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

const read = (sealed: string): Sealed | undefined => {
  const [, keyId, nonce = '', text = ''] = FORM.exec(sealed) ?? [];
  const body = keyId === undefined ? undefined : readBase64url(text);
  if (keyId === undefined || body === undefined || body.length < TAG.authTagLength) return undefined;
  return { keyId, nonce: Buffer.from(nonce, 'base64url'), body };
};

const associated = (keyId: string, context: string) =>
  Buffer.concat([Buffer.from(`${VERSION}.${keyId}.`), contextDigest(context)]);

const seal = (keyId: string, key: KeyObject, plain: Uint8Array, context: string): string => {
  const nonce = newNonce();
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(associated(keyId, context));
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return write({ keyId, nonce, body });
};

const open = ({ keyId, nonce, body }: Sealed, key: KeyObject, context: string): Uint8Array | undefined => {
  const end = body.length - TAG.authTagLength;
  const decipher = createDecipheriv(CIPHER, key, nonce, TAG).setAAD(associated(keyId, context));
  decipher.setAuthTag(body.subarray(end));
  const plain = new Uint8Array(decipher.update(body.subarray(0, end)));
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

/** The live keys of a ring by id, decoded once. */
const makeKeysOf = () => {
  const known = new WeakMap<KeyRing, ReadonlyMap<string, KeyObject>>();
  return (ring: KeyRing): ReadonlyMap<string, KeyObject> => {
    const keys = known.get(ring) ?? liveKeys(ring);
    known.set(ring, keys);
    return keys;
  };
};

/**
 * Seals with the current key of a ring, AES-256-GCM with random nonces of 96 bits: at most 2^32 seals a key (NIST
 * SP 800-38D section 8.3). The form is `gk1.<key id>.<nonce>.<ciphertext and tag>`.
 */
export const makeLocalKms = (ring: Pick<WatchedFile<KeyRing>, 'current' | 'refresh'>): Kms => {
  const keysOf = makeKeysOf();

  /** Another process may have sealed with a key that this one has not read yet. */
  const findKey = async (id: string): Promise<KeyObject | undefined> => {
    const known = keysOf(ring.current()).get(id);
    if (known !== undefined) return known;
    await ring.refresh();
    return keysOf(ring.current()).get(id);
  };

  return {
    seal: async (plain, context) => {
      const now = ring.current();
      const key = keysOf(now).get(now.current);
      if (key === undefined) throw unavailable('no_master_key', 'There is no key to seal with.');
      return seal(now.current, key, plain, context);
    },
    open: async (text, context) => {
      const sealed = read(text);
      const key = sealed && (await findKey(sealed.keyId));
      const plain = sealed && key && open(sealed, key, context);
      if (plain === undefined) throw invalidSealed();
      return plain;
    },
    keyOf: (sealed) => read(sealed)?.keyId,
    current: async () => {
      // Asked for by rotations: another process may have just made a new key.
      await ring.refresh();
      return ring.current().current;
    },
  };
};

/** Opens a master key file and follows it: a change counts within 1 s. Throws `WrongFile`. */
export const openLocalKms = async (given: {
  readonly file: string;
  readonly log: Log;
}): Promise<Kms & Pick<WatchedFile<KeyRing>, 'refresh' | 'close'>> => {
  const { file: path, log } = given;
  const ring = await watchFile({ path, name: 'master', log, parse: parseKeyRing });
  return { ...makeLocalKms(ring), refresh: ring.refresh, close: ring.close };
};
