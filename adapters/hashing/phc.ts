/** The cost of one scrypt run (RFC 7914 section 2): N = 2^ln, block size r, parallelisation p. */
export interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** A password hash with the parameters to compute it again. */
export interface PasswordHash {
  /** `firebase-scrypt`: scrypt makes an AES key, and `key` here is the keystream of that AES key. See decision 0084. */
  readonly form: 'scrypt' | 'firebase-scrypt';
  readonly cost: Cost;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

// Numbers without leading zeros and Base64 without padding, as the PHC string format has it.
export const NUMBER = '([1-9][0-9]{0,8})';
export const BYTES = '([A-Za-z0-9+/]+)';
const FORM = new RegExp(
  `^\\$(scrypt|firebase-scrypt)\\$ln=${NUMBER},r=${NUMBER},p=${NUMBER}\\$${BYTES}\\$${BYTES}$`,
);
const SALT_BYTES = { least: 8, most: 128 };
/** A key of less than 16 bytes could be guessed, so such a hash is refused. */
const KEY_BYTES = { least: 16, most: 128 };
export const MOST_HASH_CHARACTERS = 512;

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/** Undefined for any spelling other than that of `encode`, and for a wrong length. */
const decode = (text: string, length: { least: number; most: number }): Uint8Array | undefined => {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  const fits = bytes.length >= length.least && bytes.length <= length.most;
  return fits && encode(bytes) === text ? bytes : undefined;
};

/**
 * Reads the last two parts of a PHC string; undefined for another spelling or for lengths outside the limits. A part that is
 * missing counts as empty, which is too short.
 */
export const readSaltAndKey = (
  saltText = '',
  keyText = '',
): Pick<PasswordHash, 'salt' | 'key'> | undefined => {
  const salt = decode(saltText, SALT_BYTES);
  const key = decode(keyText, KEY_BYTES);
  return salt === undefined || key === undefined ? undefined : { salt, key };
};

/** `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, both in Base64 without padding. */
export const formatHash = ({ form, cost, salt, key }: PasswordHash): string =>
  `$${form}$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encode(salt)}$${encode(key)}`;

/** Reads what `formatHash` writes, with salts of 8 to 128 bytes and keys of 16 to 128; undefined for other texts. */
export const parseHash = (text: string): PasswordHash | undefined => {
  if (text.length > MOST_HASH_CHARACTERS) return undefined;
  const [, name, ln, r, p, saltText, keyText] = FORM.exec(text) ?? [];
  const bytes = readSaltAndKey(saltText, keyText);
  if (bytes === undefined) return undefined;
  const form = name === 'scrypt' ? name : 'firebase-scrypt';
  return { form, cost: { ln: Number(ln), r: Number(r), p: Number(p) }, ...bytes };
};
