import { BYTES, MOST_HASH_CHARACTERS, NUMBER, readSaltAndKey } from '../phc.ts';

/** An algorithm that we verify and never write, with its parameters. */
export type ImportedHashScheme =
  | { readonly kind: 'bcrypt'; readonly cost: number }
  | {
      readonly kind: 'argon2';
      readonly type: 'id' | 'i' | 'd';
      /** In KiB. */
      readonly memory: number;
      readonly passes: number;
      readonly lanes: number;
    }
  | { readonly kind: 'pbkdf2'; readonly digest: Pbkdf2Digest; readonly iterations: number };

export type Pbkdf2Digest = 'sha1' | 'sha256' | 'sha512';

/** A password hash that another product made. */
export interface ImportedHash {
  readonly scheme: ImportedHashScheme;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

const ARGON2 = new RegExp(
  `^\\$argon2(id|i|d)\\$v=19\\$m=${NUMBER},t=${NUMBER},p=${NUMBER}\\$${BYTES}\\$${BYTES}$`,
);
const PBKDF2 = new RegExp(`^\\$pbkdf2-(sha1|sha256|sha512)\\$i=${NUMBER}\\$${BYTES}\\$${BYTES}$`);
// $2x$ is left out: it marks hashes of a faulty implementation.
const BCRYPT = /^\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/;

const BCRYPT_DIGITS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Drops spare bits of the last digit, which some libraries leave set. */
const decodeBcrypt = (text: string): Uint8Array => {
  const bits = [...text].map((digit) => BCRYPT_DIGITS.indexOf(digit).toString(2).padStart(6, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
};

const readArgon2 = (text: string): ImportedHash | undefined => {
  const [, type, memory, passes, lanes, saltText, keyText] = ARGON2.exec(text) ?? [];
  const bytes = readSaltAndKey(saltText, keyText);
  if (bytes === undefined || (type !== 'id' && type !== 'i' && type !== 'd')) return undefined;
  const parameters = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  return { scheme: { kind: 'argon2', type, ...parameters }, ...bytes };
};

const readPbkdf2 = (text: string): ImportedHash | undefined => {
  const [, digest, iterations, saltText, keyText] = PBKDF2.exec(text) ?? [];
  const bytes = readSaltAndKey(saltText, keyText);
  if (bytes === undefined || digest === undefined) return undefined;
  return {
    scheme: { kind: 'pbkdf2', digest: digest as Pbkdf2Digest, iterations: Number(iterations) },
    ...bytes,
  };
};

const readBcrypt = (text: string): ImportedHash | undefined => {
  const [, cost, saltText, keyText] = BCRYPT.exec(text) ?? [];
  if (saltText === undefined || keyText === undefined) return undefined;
  return {
    scheme: { kind: 'bcrypt', cost: Number(cost) },
    salt: decodeBcrypt(saltText),
    key: decodeBcrypt(keyText),
  };
};

/**
 * Reads `$2b$…` as bcrypt writes it, `$argon2id$v=19$m=…,t=…,p=…$salt$key`, and `$pbkdf2-sha256$i=…$salt$key` with salt
 * and key in Base64 without padding, also with the other types and digests above; undefined for all else.
 */
export const parseImportedHash = (text: string): ImportedHash | undefined =>
  text.length > MOST_HASH_CHARACTERS ? undefined : (readBcrypt(text) ?? readArgon2(text) ?? readPbkdf2(text));

const DIGEST_BYTES: Readonly<Record<Pbkdf2Digest, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/**
 * The approximate number of blocks that scrypt mixes in the same time. The factors were measured on one machine and differ by
 * up to a half on others: good enough for bounds and reports. Times that must be equal are measured, see `equal-time-hash.ts`.
 */
export const importedHashWork = ({ scheme, key }: ImportedHash): number => {
  switch (scheme.kind) {
    case 'bcrypt':
      return 200 * 2 ** scheme.cost;
    case 'argon2':
      return 5 * scheme.memory * scheme.passes;
    case 'pbkdf2':
      return scheme.iterations * Math.ceil(key.length / DIGEST_BYTES[scheme.digest]) * 2;
  }
};

const MOST_MEMORY_KIB = 256 * 1_024;
const MOST_LANES = 16;

/** Whether memory and lanes are valid for Argon2 (RFC 9106 section 3.1) and within the limits of scrypt hashes. */
export const isWithinMemory = ({ scheme }: ImportedHash): boolean =>
  scheme.kind !== 'argon2' ||
  (scheme.memory <= MOST_MEMORY_KIB && scheme.lanes <= MOST_LANES && scheme.memory >= 8 * scheme.lanes);
