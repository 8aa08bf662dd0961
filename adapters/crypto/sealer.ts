import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Sealer } from '../../core/ports.ts';
import { randomBytes } from './random.ts';
import { makeSubkeys } from './subkeys.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST = VERSION.length + NONCE_BYTES + TAG_BYTES;

const associated = (context: string) => Buffer.concat([VERSION, Buffer.from(context)]);

/** The bytes of unpadded base64url in its one spelling (RFC 4648 section 3.5), undefined for any other text. */
const decode = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

const openWith = (key: KeyObject, sealed: Buffer, context: string): string | undefined => {
  const nonce = sealed.subarray(VERSION.length, VERSION.length + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated(context)).setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(VERSION.length + NONCE_BYTES, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return text.toString();
};

/**
 * AES-256-GCM under a subkey of the newest hash key; every live key opens. The form is base64url of a version byte,
 * a random nonce of 96 bits, the ciphertext and the tag. Texts are well-formed Unicode.
 */
export const makeSealer = (hashKeys: readonly Uint8Array[]): Sealer => {
  const subkeys = makeSubkeys(hashKeys)('seal');

  return {
    seal: (text, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, subkeys[0], nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associated(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([VERSION, nonce, body, cipher.getAuthTag()]).toString('base64url');
    },
    open: (sealed, context) => {
      const bytes = decode(sealed);
      if (bytes === undefined || bytes.length < SHORTEST || bytes[0] !== VERSION[0]) return undefined;
      for (const key of subkeys) {
        const text = openWith(key, bytes, context);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
};
