import { invalid } from '../errors.ts';
import { text } from '../schema.ts';
import type { Account } from './account.ts';
import type { Deps } from './deps.ts';
import type { HashOptions } from './ports.ts';

/** Accepts more than 256 characters: NFKC can shorten the text before `normalizePassword` counts it. */
export const PASSWORD = text({
  minLength: 1,
  maxLength: 1_024,
  description: 'Of 8 to 256 characters',
  examples: ['correct horse battery'],
});

/** The values of a password's owner that a stranger who knows the account would try first. */
interface PasswordOwner {
  readonly email: string;
  readonly displayName: string | null;
}

/** Shorter words occur in too many passwords by chance. */
const SHORTEST_WORD = 3;

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** A name as it is, its words joined, and each word. */
const spellings = (name: string): readonly string[] => {
  const words = name.normalize('NFKC').split(BETWEEN_WORDS);
  return [name, words.join(''), ...words];
};

/** The context-specific words for the blocklist: of the product's name, the email and the display name. See decision 0009. */
export const contextWords = (
  productName: string,
  { email, displayName }: PasswordOwner,
): readonly string[] => {
  const [local = '', domain = ''] = email.split('@');
  const labels = domain.split('.').slice(0, -1);
  const names = [productName, local, ...labels, displayName ?? ''].flatMap(spellings);
  return [email, domain, ...names].filter(({ length }) => length >= SHORTEST_WORD);
};

/**
 * The number of characters of a password before or after normalization, whichever is smaller: neither a character that
 * NFKC expands into many nor letters with separate accents make it longer.
 */
const countCharacters = (raw: string, normalized: string) =>
  Math.min([...raw].length, [...normalized].length);

// Characters without ink: blanks, format characters, fillers, the empty Braille cell.
const BLANK = /^[\s\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

const notAllowed = () =>
  invalid('password_not_allowed', 'The password must not be blank or contain a NUL character.');

/** The form of a password that is hashed: NFKC once (NIST SP 800-63B section 3.1.1.2), never truncated. */
export const normalizePassword = (raw: string, maxCharacters: number): string => {
  const password = raw.normalize('NFKC');
  // For scrypt a password and the same password followed by a NUL are equal.
  if (password.includes('\0')) throw notAllowed();
  if (countCharacters(raw, password) > maxCharacters) {
    throw invalid('password_too_long', `The password may have at most ${maxCharacters} characters.`);
  }
  return password;
};

type PasswordRuleDeps = Pick<Deps, 'policy' | 'blocklist'>;

/** Throws `invalid` (`password_too_common`) for a normalized password that is guessed first, in general or for this owner. */
export const refuseCommon = async (
  { policy, blocklist }: PasswordRuleDeps,
  password: string,
  owner: PasswordOwner,
): Promise<void> => {
  if (await blocklist.has(password, contextWords(policy.productName, owner))) {
    throw invalid('password_too_common', 'This password is too common; choose another one.');
  }
};

/**
 * Checks a new password and returns the form that is hashed. Throws `invalid` (`password_too_long`, `password_too_short`,
 * `password_not_allowed`, `password_too_common`).
 */
export const acceptPassword = async (
  deps: PasswordRuleDeps,
  raw: string,
  owner: PasswordOwner,
): Promise<string> => {
  const { policy } = deps;
  const password = normalizePassword(raw, policy.passwordLongest);
  if (countCharacters(raw, password) < policy.passwordShortest) {
    throw invalid('password_too_short', `The password needs at least ${policy.passwordShortest} characters.`);
  }
  if (BLANK.test(password)) throw notAllowed();
  await refuseCommon(deps, password, owner);
  return password;
};

/**
 * Hashes a correct password again, after a sign-in found a hash with outdated parameters. The sign-in does not wait, since
 * its response time would reveal the outdated hash. Only a hash that is costlier to verify than a new one is replaced before
 * the response: its own verification has revealed it already. If the write fails or comes too late, the next sign-in
 * repeats it.
 */
export const rehash = async (
  { accounts, hasher, log }: Pick<Deps, 'accounts' | 'hasher' | 'log'>,
  account: Account,
  password: string,
  options: HashOptions,
): Promise<void> => {
  const replaceHash = async () => {
    const passwordHash = await hasher.hash(password, options);
    const current = await accounts.find(account.id);
    if (current?.passwordHash === account.passwordHash) await accounts.save({ ...current, passwordHash });
  };
  const rehashing = replaceHash().catch((error: unknown) =>
    log.warn('password.not_rehashed', { userId: account.id, error }),
  );
  if (account.passwordHash !== null && hasher.isCostlier(account.passwordHash)) await rehashing;
};
