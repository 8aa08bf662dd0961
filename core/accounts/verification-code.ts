import type { Account } from './account.ts';
import { codeDigest, newDigits } from './codes.ts';
import { withPending } from './entries.ts';
import { accountKey, codeMailsKey } from './keys.ts';
import type { Kit } from './kit.ts';
import { DAY } from './policy.ts';

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

/** Whether today's allowance of codes mailed unasked to this address has room for one more, which it then counts. */
export const takeCodeMailOfTheDay = async (kit: Kit, email: string): Promise<boolean> => {
  const { count } = await kit.tries.add(codeMailsKey(kit.digest, email), DAY, kit.clock.now());
  return count <= kit.policy.codeMailsADay;
};

/** The same for a code of a login or of registering again: it counts in the resend route's allowance, too. */
export const takeUnaskedCodeMail = async (kit: Kit, email: string): Promise<boolean> => {
  const { resendLimit: limit, resendSeconds: seconds } = kit.policy;
  const budget = await kit.limiter.take(
    { name: 'account:resend', limit, seconds },
    accountKey(kit.digest, email),
  );
  return budget.allowed && (await takeCodeMailOfTheDay(kit, email));
};
