import { invalid } from '../errors.ts';
import type { Needs } from './needs.ts';

const codePoints = (text: string) => [...text].length;

const notAllowed = () =>
  invalid('password_not_allowed', 'The password may not be all blanks or hold a NUL character.');

/** A password as it is hashed: NFKC once (NIST SP 800-63B section 3.1.1.2), never truncated. */
export const normalPassword = (given: string, longest: number): string => {
  const password = given.normalize('NFKC');
  // To scrypt a password and the same with a NUL behind it are one.
  if (password.includes('\0')) throw notAllowed();
  if (codePoints(password) > longest) {
    throw invalid('password_too_long', `The password may have at most ${longest} characters.`);
  }
  return password;
};

/** Takes a new password, in the form in which it is hashed, or throws `invalid` with the rule it breaks. */
export const acceptPassword = async (
  { policy, blocklist }: Pick<Needs, 'policy' | 'blocklist'>,
  given: string,
): Promise<string> => {
  const password = normalPassword(given, policy.passwordLongest);
  if (codePoints(password) < policy.passwordShortest) {
    throw invalid('password_too_short', `The password needs at least ${policy.passwordShortest} characters.`);
  }
  if (password.trim() === '') throw notAllowed();
  if (await blocklist.has(password)) {
    throw invalid(
      'password_too_common',
      'This password is among those that are guessed first; choose another.',
    );
  }
  return password;
};
