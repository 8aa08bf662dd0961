/** What one scrypt run costs (RFC 7914 section 2): N = 2^ln, block size r, parallelisation p. */
export interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** A password hash with all that it takes to make it again. */
export interface PasswordHash {
  readonly cost: Cost;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

// Numbers without leading zeros and Base64 without padding, as the PHC string format has it. A key of
// less than 16 bytes could be guessed, so such a hash is refused.
const NUMBER = '([1-9][0-9]{0,8})';
const FORM = new RegExp(
  `^\\$scrypt\\$ln=${NUMBER},r=${NUMBER},p=${NUMBER}\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)$`,
);
const SALT_BYTES = { least: 8, most: 128 };
const KEY_BYTES = { least: 16, most: 128 };
const LONGEST = 512;

const encode = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');

/** Undefined for any other spelling of the bytes than the one `encode` gives, and for another length. */
const decode = (text: string, length: { least: number; most: number }): Uint8Array | undefined => {
  if (text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const fits = bytes.length >= length.least && bytes.length <= length.most;
  return fits && encode(bytes) === text ? bytes : undefined;
};

/** `$scrypt$ln=15,r=8,p=3$<salt>$<key>`, both in Base64 without padding. */
export const formatHash = ({ cost, salt, key }: PasswordHash): string =>
  `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encode(salt)}$${encode(key)}`;

/** Reads what `formatHash` writes, with salts of 8 to 128 bytes and keys of 16 to 128; undefined for all else. */
export const parseHash = (text: string): PasswordHash | undefined => {
  if (text.length > LONGEST) return undefined;
  const [, ln, r, p, saltText = '', keyText = ''] = FORM.exec(text) ?? [];
  const salt = decode(saltText, SALT_BYTES);
  const key = decode(keyText, KEY_BYTES);
  if (salt === undefined || key === undefined) return undefined;
  return { cost: { ln: Number(ln), r: Number(r), p: Number(p) }, salt, key };
};
