import { createCipheriv } from 'node:crypto';

/** Bytes of scrypt's key that are the key of the cipher. */
export const FIREBASE_KEY_BYTES = 32;

/**
 * Firebase encrypts its signer key by AES-256-CTR under the key that scrypt gives. A stored hash is therefore the
 * signer key XOR this keystream. The import removes the signer key, so that the keystream remains.
 */
export const keystreamOf = (key: Uint8Array, length: number): Uint8Array =>
  createCipheriv('aes-256-ctr', key, new Uint8Array(16)).update(new Uint8Array(length));
