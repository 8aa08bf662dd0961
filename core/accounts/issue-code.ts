import type { Account } from './account.ts';
import type { Deps } from './deps.ts';
import { withPending } from './outbox-entries.ts';
import { codeDigest, grouped, newCrockford, newDigits } from './typed-codes.ts';

/**
 * The account with a new verification code and its mail; the previous code is void. The mail says if the registration
 * replaced an earlier one, so that nobody verifies a stranger's registration in place of their own.
 */
export const withNewVerificationCode = (deps: Deps, account: Account): Account => {
  const { policy, digest, random, entries, clock } = deps;
  const { replacedAt } = account;
  const code = newDigits(random);
  const facts = {
    minutes: String(Math.round(policy.verificationCodeLife / 60_000)),
    ...(replacedAt === null ? {} : { replacedAt: new Date(replacedAt).toISOString() }),
  };
  return withPending(
    {
      ...account,
      verification: {
        digest: codeDigest(digest, 'verification', account.id, code),
        expiresAt: clock.now() + policy.verificationCodeLife,
        tries: 0,
        registeredAt: account.registeredAt,
      },
    },
    entries.mail(account, 'verify', facts, code),
  );
};

/**
 * The account with a new reset code and its mail; the previous code is void. `isOwners`: true if the owner or an operator
 * requested the code, false if it may be a stranger. If true, wrong attempts of strangers are counted apart: see decision 0003.
 */
export const withNewResetCode = (deps: Deps, account: Account, isOwners: boolean): Account => {
  const { clock, digest, entries, policy, random } = deps;
  const code = newCrockford(random, 10);
  const reset = {
    digest: codeDigest(digest, 'reset', account.id, code),
    expiresAt: clock.now() + policy.resetCodeLife,
    tries: 0,
    strangersTries: isOwners ? 0 : null,
  };
  const facts = { minutes: String(Math.round(policy.resetCodeLife / 60_000)) };
  return withPending({ ...account, reset }, entries.mail(account, 'reset', facts, grouped(code, 5)));
};
