import type { Account } from '../account.ts';
import { codeDigest, newDigits } from '../codes.ts';
import type { Kit } from '../kit.ts';
import { withPending } from '../pending.ts';

/**
 * The account with a new verification code, its mail on the way, the previous code void. The mail says when the
 * registration replaced an earlier one, so that nobody verifies a stranger's in place of their own.
 */
export const withNewVerificationCode = (kit: Kit, account: Account): Account => {
  const { policy, digest, random, entries, clock } = kit;
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
