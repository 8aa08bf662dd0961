import { isoTime } from '../iso-times.ts';
import type { Digest, Random } from '../ports.ts';
import { text } from '../schema.ts';
import type { Account, EmailedCode } from './account.ts';
import type { Deps } from './deps.ts';
import { withPending } from './outbox-entries.ts';

export const SIX_DIGITS = text({
  minLength: 6,
  maxLength: 6,
  description: 'The six digits from the mail',
  examples: ['493021'],
});

export const TYPED_CODE = text({
  minLength: 1,
  maxLength: 64,
  description: 'The ten characters from the mail; case, blanks and dashes do not matter',
  examples: ['7KQ2M-XW4RT'],
});

/** The purpose of a code. The digest includes it, so a code is valid for no other purpose. */
export type CodePurpose = 'verification' | 'reset' | 'recovery' | 'email-change' | 'email-undo';

/** Crockford's base 32: no I, L, O or U. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Six digits, each of the million equally likely (rejection sampling). */
export const newDigits = (random: Random): string => {
  // The largest multiple of a million that four bytes can hold.
  const limit = 4_294_000_000;
  for (;;) {
    const number = random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
    if (number < limit) return String(number % 1_000_000).padStart(6, '0');
  }
};

/** `length` characters of Crockford's base 32, five random bits each. */
export const newCrockford = (random: Random, length: number): string =>
  Array.from(random.bytes(length), (byte) => CROCKFORD[byte & 31]).join('');

/** The code in groups for people: `XXXXX-XXXXX`. */
export const grouped = (code: string, size: number, separator = '-'): string =>
  (code.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(separator);

// Includes the minus sign, and invisible characters such as soft hyphens, which copying may add.
const SEPARATORS = /[\s\p{Z}\p{Cf}\p{Dash_Punctuation}\u2212]/gu;

/** The typed code without the blanks and dashes between its groups. */
export const readTyped = (typed: string): string => typed.replace(SEPARATORS, '');

/** The code that a person typed; case, blanks, dashes and look-alike letters do not matter. */
export const readCrockford = (typed: string): string =>
  readTyped(typed).toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');

const material = (purpose: CodePurpose, userId: string, code: string) => `${purpose}:${userId}:${code}`;

/** The keyed digest of a code, which is stored in its place. */
export const codeDigest = (digest: Digest, purpose: CodePurpose, userId: string, code: string): string =>
  digest.keyed('code', material(purpose, userId, code));

/** The stored digest that the code matches, also under an older hash key; undefined if none does. */
export const matchingDigest = (
  digest: Digest,
  purpose: CodePurpose,
  userId: string,
  code: string,
  stored: readonly string[],
): string | undefined => {
  const candidates = digest.everyKeyed('code', material(purpose, userId, code));
  return stored.find((storedDigest) => candidates.some((candidate) => digest.equal(candidate, storedDigest)));
};

/** The code after another wrong attempt; null when that was the last one allowed. */
export const afterWrongAttempt = <Code extends EmailedCode>(
  code: Code | null,
  attemptsPerCode: number,
): Code | null =>
  code === null || code.tries + 1 >= attemptsPerCode ? null : { ...code, tries: code.tries + 1 };

/**
 * The account with a new verification code and its mail; the previous code is void. The mail says if the registration
 * replaced an earlier one, so that nobody verifies a stranger's registration in place of their own.
 */
export const withNewVerificationCode = (deps: Deps, account: Account): Account => {
  const { policy, digest, random, entries, clock } = deps;
  const { replacedAt } = account;
  const code = newDigits(random);
  const facts = {
    minutes: String(Math.round(policy.verificationCodeLifeMs / 60_000)),
    ...(replacedAt === null ? {} : { replacedAt: isoTime(replacedAt) }),
  };
  return withPending(
    {
      ...account,
      verification: {
        digest: codeDigest(digest, 'verification', account.id, code),
        expiresAt: clock.now() + policy.verificationCodeLifeMs,
        tries: 0,
        registeredAt: account.registeredAt,
      },
    },
    entries.mail(account, 'verify', facts, code),
  );
};

/**
 * The account with a new reset code and its mail; the previous code is void. A `trusted` requester is the owner or an operator,
 * an `unknown` one may be a stranger. Strangers' wrong attempts at a code for a trusted requester are counted apart, so that
 * they cannot void it: see decision 0003.
 */
export const withNewResetCode = (deps: Deps, account: Account, requester: 'trusted' | 'unknown'): Account => {
  const { clock, digest, entries, policy, random } = deps;
  const code = newCrockford(random, 10);
  const reset = {
    digest: codeDigest(digest, 'reset', account.id, code),
    expiresAt: clock.now() + policy.resetCodeLifeMs,
    tries: 0,
    strangersTries: requester === 'trusted' ? 0 : null,
  };
  const facts = { minutes: String(Math.round(policy.resetCodeLifeMs / 60_000)) };
  return withPending({ ...account, reset }, entries.mail(account, 'reset', facts, grouped(code, 5)));
};
