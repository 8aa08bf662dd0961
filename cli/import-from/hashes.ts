import { invalid } from '../../core/errors.ts';
import type { LinePassword } from './user-to-import-line.ts';

// Converts the password hashes of products into the PHC strings that we store. The import itself checks their cost.

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

export const lostHash = (problem: string): LinePassword => ({
  lost: `Its password hash ${problem}; --without-passwords imports such users without one.`,
});

/** Decodes Base64 of either alphabet; undefined for anything else. */
export const bytesOf = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;

const unpaddedBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/=+$/, '');

export const phc = (head: string, salt: Uint8Array, key: Uint8Array): string =>
  [head, unpaddedBase64(salt), unpaddedBase64(key)].join('$');

/** The parameters of Firebase's hashes, the same for a whole project. */
export interface HashConfig {
  readonly signerKey: Uint8Array;
  readonly saltSeparator: Uint8Array;
  readonly rounds: number;
  readonly memCost: number;
}

/**
 * Firebase's hash is the signer key XOR a keystream that depends on the password. Only the keystream is kept, so the key need
 * not be stored. See decision 0084.
 */
export const convertFirebaseHash = (config: HashConfig, salt: unknown, hash: unknown): LinePassword => {
  const saltBytes = bytesOf(salt);
  const hashBytes = bytesOf(hash);
  const { signerKey, saltSeparator, rounds, memCost } = config;
  if (saltBytes === undefined || hashBytes?.length !== signerKey.length)
    return lostHash('was not made with this hash configuration');
  const keystream = hashBytes.map((byte, at) => byte ^ (signerKey[at] ?? 0));
  const head = `$firebase-scrypt$ln=${memCost},r=${rounds},p=1`;
  return { hash: phc(head, Buffer.concat([saltBytes, saltSeparator]), keystream) };
};

const BETTER_AUTH = /^([0-9a-f]{32}):([0-9a-f]{128})$/i;

const FIREBASE_IN_SUPABASE =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,2}),p=1(?:,ss=([^,$]*))?(?:,sk=([^,$]*))?\$([^$]+)\$([^$]+)$/;

/** Converts a hash whose form tells the algorithm. */
export const convertHash = (text: string): LinePassword => {
  const [, salt, key = ''] = BETTER_AUTH.exec(text) ?? [];
  // Better Auth has one fixed cost. The salt is the text of the digits, not the bytes that they encode.
  if (salt !== undefined)
    return { hash: phc('$scrypt$ln=14,r=16,p=1', Buffer.from(salt), Buffer.from(key, 'hex')) };
  const [match, n, r, separator, signerKey, salt64, hash] = FIREBASE_IN_SUPABASE.exec(text) ?? [];
  if (match !== undefined) {
    const config = {
      // A missing key becomes an empty one. The hash then has another length than the key, so `convertFirebaseHash` refuses it.
      signerKey: bytesOf(signerKey) ?? Buffer.alloc(0),
      saltSeparator: bytesOf(separator) ?? Buffer.alloc(0),
      memCost: Number(n),
      rounds: Number(r),
    };
    return convertFirebaseHash(config, salt64, hash);
  }
  // Some hashes have the padding of Base64, which PHC strings do not have. The expression runs in linear time.
  if (/^\$(?:2[aby]|argon2(?:id|i|d)|scrypt|pbkdf2-sha(?:1|256|512))\$/.test(text))
    return { hash: text.replace(/(?<!=)={1,2}(?=\$|$)/g, '') };
  return lostHash('is of a kind that is not verified here');
};

const wrongConfig = (problem: string) =>
  invalid('wrong_hash_config', `The file of --hash-config ${problem}.`);

/** A line with `name: "value"`, or with `=`, or without the quotes. `[^\S\n]` is white space other than a line break. */
const MEMBER = /^[^\S\n]*"?(\w+)"?[^\S\n]*[:=][^\S\n]*"?([A-Za-z0-9+/=_-]+)"?[^\S\n]*$/gm;

const wholeOf = (name: string, text: string | undefined, most: number): number => {
  const isWhole = /^[1-9]\d{0,2}$/.test(text ?? '');
  if (isWhole && Number(text) <= most) return Number(text);
  throw wrongConfig(`must have ${name}, from 1 to ${most}`);
};

const keyOf = (name: string, text: string | undefined): Uint8Array => {
  const bytes = bytesOf(text);
  if (bytes === undefined) throw wrongConfig(`must have ${name} in Base64`);
  return bytes;
};

/**
 * The hash configuration of a Firebase project, as its console shows it (`hash_config { algorithm: SCRYPT, … }`) or as
 * JSON with the same names. Throws `invalid` (`wrong_hash_config`), which quotes nothing of the text.
 */
export const parseHashConfig = (text: string): HashConfig => {
  // Puts each member on its own line, whatever the format.
  const lines = text.replace(/[{},]/g, '\n');
  const members = new Map([...lines.matchAll(MEMBER)].map(([, name = '', value = '']) => [name, value]));
  const algorithm = members.get('algorithm') ?? 'SCRYPT';
  if (algorithm !== 'SCRYPT') throw wrongConfig('is not of the algorithm SCRYPT');
  return {
    signerKey: keyOf('base64_signer_key', members.get('base64_signer_key')),
    saltSeparator: keyOf('base64_salt_separator', members.get('base64_salt_separator')),
    rounds: wholeOf('rounds', members.get('rounds'), 99),
    memCost: wholeOf('mem_cost', members.get('mem_cost'), 99),
  };
};
