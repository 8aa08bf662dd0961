import type { OurPassword } from './our-line.ts';
import { textOf } from './values.ts';

// Forms in which products keep password hashes, and the PHC strings that we store. What they cost is judged by the
// import itself.

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

const lost = (what: string): OurPassword => ({
  lost: `Its password hash ${what}; --without-passwords imports such users without one.`,
});

/** Undefined for what is no Base64, of either alphabet. */
export const bytesOf = (text: unknown): Buffer | undefined =>
  typeof text === 'string' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;

const phc = (head: string, salt: Uint8Array, key: Uint8Array): string =>
  `${head}$${[salt, key].map((bytes) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')).join('$')}`;

/** The parameters of Firebase's hashes, which are those of a whole project. */
export interface HashConfig {
  readonly signerKey: Uint8Array;
  readonly saltSeparator: Uint8Array;
  readonly rounds: number;
  readonly memCost: number;
}

/** See decision 0084: the signer key is taken out of the hash, and stays here. */
export const ofFirebase = (config: HashConfig, salt: unknown, hash: unknown): OurPassword => {
  const [itsSalt, itsHash] = [bytesOf(salt), bytesOf(hash)];
  const { signerKey, saltSeparator, rounds, memCost } = config;
  if (itsSalt === undefined || itsHash?.length !== signerKey.length)
    return lost('was not made with this hash configuration');
  const keystream = itsHash.map((byte, at) => byte ^ (signerKey[at] ?? 0));
  const head = `$firebase-scrypt$ln=${memCost},r=${rounds},p=1`;
  return { hash: phc(head, Buffer.concat([itsSalt, saltSeparator]), keystream) };
};

const BETTER_AUTH = /^([0-9a-f]{32}):([0-9a-f]{128})$/i;

const FIREBASE_IN_SUPABASE =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,2}),p=1(?:,ss=([^,$]*))?(?:,sk=([^,$]*))?\$([^$]+)\$([^$]+)$/;

/** A hash that says by its form what made it. */
export const ofText = (text: string): OurPassword => {
  const [, salt, key = ''] = BETTER_AUTH.exec(text) ?? [];
  // The salt is the text of its digits, not the bytes that these stand for.
  if (salt !== undefined)
    return { hash: phc('$scrypt$ln=14,r=16,p=1', Buffer.from(salt), Buffer.from(key, 'hex')) };
  const [fits, n, r, separator, signerKey, itsSalt, hash] = FIREBASE_IN_SUPABASE.exec(text) ?? [];
  if (fits !== undefined) {
    const config = {
      signerKey: bytesOf(signerKey) ?? Buffer.alloc(0),
      saltSeparator: bytesOf(separator) ?? Buffer.alloc(0),
      memCost: Number(n),
      rounds: Number(r),
    };
    return ofFirebase(config, itsSalt, hash);
  }
  // Some write the padding of Base64, which PHC strings do not have.
  if (/^\$(?:2[aby]|argon2(?:id|i|d)|scrypt|pbkdf2-sha(?:1|256|512))\$/.test(text))
    return { hash: text.replace(/=+(?=\$|$)/g, '') };
  return lost('is of a kind that is not verified here');
};

const KEYCLOAK_PBKDF2: Readonly<Record<string, string>> = {
  pbkdf2: 'pbkdf2-sha1',
  'pbkdf2-sha256': 'pbkdf2-sha256',
  'pbkdf2-sha512': 'pbkdf2-sha512',
};

interface KeycloakHash {
  readonly algorithm: unknown;
  readonly iterations: unknown;
  readonly salt: unknown;
  readonly value: unknown;
  /** `memory`, `type` and the like, each a list of one text. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const ofKeycloak = ({ algorithm, iterations, salt, value, parameters }: KeycloakHash): OurPassword => {
  const [itsSalt, key] = [bytesOf(salt), bytesOf(value)];
  if (itsSalt === undefined || key === undefined) return lost('is not in the export');
  const name = typeof algorithm === 'string' ? algorithm : '';
  const rounds = textOf(iterations) ?? '';
  const pbkdf2 = KEYCLOAK_PBKDF2[name];
  if (pbkdf2 !== undefined) return { hash: phc(`$${pbkdf2}$i=${rounds}`, itsSalt, key) };
  if (name !== 'argon2') return lost('is of a kind that is not verified here');
  const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map((parameter) =>
    textOf([parameters[parameter]].flat()[0]),
  );
  if (version !== '1.3') return lost('is of Argon2 1.0, which is not verified here');
  return { hash: phc(`$argon2${type}$v=19$m=${memory},t=${rounds},p=${lanes}`, itsSalt, key) };
};
