import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { invalid, unavailable } from '../../core/errors.ts';
import type { Kms, Log } from '../../core/ports.ts';
import { type WatchedFile, watchFile } from '../files/watched-file.ts';
import { KEY_ID, type KeyRing, parseKeyRing } from './key-ring.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = 'gk1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Sealed {
  readonly keyId: string;
  readonly nonce: Buffer;
  /** Ciphertext and tag. */
  readonly body: Buffer;
}

const write = ({ keyId, nonce, body }: Sealed) =>
  [VERSION, keyId, nonce.toString('base64url'), body.toString('base64url')].join('.');

const read = (sealed: string): Sealed | undefined => {
  const [, keyId = '', nonce = '', body = ''] = sealed.split('.');
  const parts = { keyId, nonce: Buffer.from(nonce, 'base64url'), body: Buffer.from(body, 'base64url') };
  const whole = KEY_ID.test(keyId) && parts.nonce.length === NONCE_BYTES && parts.body.length >= TAG_BYTES;
  // There is one spelling: the one that writing gives.
  return whole && write(parts) === sealed ? parts : undefined;
};

const associated = (keyId: string, context: string) =>
  Buffer.concat([Buffer.from(`${VERSION}.${keyId}.`), createHash('sha256').update(context).digest()]);

const seal = (keyId: string, key: Buffer, plain: Uint8Array, context: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(keyId, context));
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return write({ keyId, nonce, body });
};

const open = ({ keyId, nonce, body }: Sealed, key: Buffer, context: string): Uint8Array | undefined => {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated(keyId, context)).setAuthTag(body.subarray(-TAG_BYTES));
  const plain = new Uint8Array(decipher.update(body.subarray(0, -TAG_BYTES)));
  try {
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
};

const keyOf = (ring: KeyRing, id: string): Buffer | undefined => {
  const found = ring.keys.find((key) => key.id === id && key.retiredAt === undefined);
  return found && Buffer.from(found.key, 'base64');
};

/**
 * Seals with the current key of a ring, AES-256-GCM with random nonces of 96 bits: at most 2^32 seals a key (NIST
 * SP 800-38D section 8.3). The form is `gk1.<key id>.<nonce>.<ciphertext and tag>`.
 */
export const makeLocalKms = (ring: Pick<WatchedFile<KeyRing>, 'current' | 'refresh'>): Kms => {
  /** Another process may have sealed with a key that this one has not read yet. */
  const findKey = async (id: string): Promise<Buffer | undefined> => {
    const known = keyOf(ring.current(), id);
    if (known !== undefined) return known;
    await ring.refresh();
    return keyOf(ring.current(), id);
  };

  return {
    seal: async (plain, context) => {
      const now = ring.current();
      const key = keyOf(now, now.current);
      if (key === undefined) throw unavailable('no_master_key', 'There is no key to seal with.');
      return seal(now.current, key, plain, context);
    },
    open: async (text, context) => {
      const sealed = read(text);
      const key = sealed && (await findKey(sealed.keyId));
      const plain = sealed && key && open(sealed, key, context);
      if (plain === undefined) throw invalid('invalid_sealed', 'This was not sealed here for this purpose.');
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
