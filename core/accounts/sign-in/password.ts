import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import type { Needs } from '../needs.ts';
import type { HashOptions } from '../ports.ts';

/** Whose password it is: what a stranger who knows the account would try first. */
interface PasswordOwner {
  readonly email: string;
  readonly displayName: string | null;
}

/** Shorter ones stand in too many passwords by chance. */
const SHORTEST = 3;

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** A name as it is, without what stands between its words, and each of these. */
const spellings = (name: string): readonly string[] => {
  const words = name.normalize('NFKC').split(BETWEEN_WORDS);
  return [name, words.join(''), ...words];
};

/**
 * The words that no list has: the product's name, the email with its parts, and the display name.
 * See decision 0009.
 */
export const ownWords = (productName: string, { email, displayName }: PasswordOwner): readonly string[] => {
  const [local = '', domain = ''] = email.split('@');
  const labels = domain.split('.').slice(0, -1);
  const names = [productName, local, ...labels, displayName ?? ''].flatMap(spellings);
  return [email, domain, ...names].filter(({ length }) => length >= SHORTEST);
};

/**
 * The characters of a password, before and after it was normalised: the smaller number. One that NFKC turns into many
 * does not make it long, nor do letters typed with their accents apart.
 */
const countCharacters = (given: string, normal: string) => Math.min([...given].length, [...normal].length);

// All that leaves no ink: blanks, format characters, fillers, the empty Braille cell.
const BLANK = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

const notAllowed = () =>
  invalid('password_not_allowed', 'The password may not be all blanks or hold a NUL character.');

/** A password as it is hashed: NFKC once (NIST SP 800-63B section 3.1.1.2), never truncated. */
export const normalPassword = (given: string, longest: number): string => {
  const password = given.normalize('NFKC');
  // To scrypt a password and the same with a NUL behind it are one.
  if (password.includes('\0')) throw notAllowed();
  if (countCharacters(given, password) > longest) {
    throw invalid('password_too_long', `The password may have at most ${longest} characters.`);
  }
  return password;
};

type Judges = Pick<Needs, 'policy' | 'blocklist'>;

/** Throws `invalid` (`password_too_common`) for a password, normalised, that is guessed first, or first of this owner. */
export const refuseCommon = async (
  { policy, blocklist }: Judges,
  password: string,
  owner: PasswordOwner,
): Promise<void> => {
  if (await blocklist.has(password, ownWords(policy.productName, owner))) {
    throw invalid(
      'password_too_common',
      'This password is among those that are guessed first; choose another.',
    );
  }
};

/** Takes a new password, in the form in which it is hashed, or throws `invalid` with the rule it breaks. */
export const acceptPassword = async (
  judges: Judges,
  given: string,
  owner: PasswordOwner,
): Promise<string> => {
  const { policy } = judges;
  const password = normalPassword(given, policy.passwordLongest);
  if (countCharacters(given, password) < policy.passwordShortest) {
    throw invalid('password_too_short', `The password needs at least ${policy.passwordShortest} characters.`);
  }
  if (BLANK.test(password)) throw notAllowed();
  await refuseCommon(judges, password, owner);
  return password;
};

/**
 * Hashes a right password again if its hash has other parameters than the standard. The login does not wait for it,
 * since the time of the answer would tell about the hash. A more expensive hash shows at every try anyway: there the
 * login waits, and is the last one to show it. If the write fails or comes too late, the next login repeats it.
 */
export const makeRehash = ({ accounts, hasher, log }: Kit) => {
  const rehash = async (account: Account, password: string, options: HashOptions) => {
    const passwordHash = await hasher.hash(password, options);
    const found = await accounts.find(account.id);
    if (found?.passwordHash === account.passwordHash) await accounts.save({ ...found, passwordHash });
  };

  return async (account: Account, password: string, options: HashOptions): Promise<void> => {
    const done = rehash(account, password, options).catch((error: unknown) =>
      log.warn('password.not_rehashed', { userId: account.id, error }),
    );
    if (account.passwordHash !== null && hasher.isDearer(account.passwordHash)) await done;
  };
};
