import type { Account } from '../account.ts';
import { codeDigest, grouped, newCrockford, newDigits } from '../codes.ts';
import { accountKey, codeMailsKey, networkCodeMailsKey, unaskedCodeMailsKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { withPending } from '../pending.ts';
import { DAY } from '../policy.ts';
import type { Bounded } from '../ports.ts';

/** A code that somebody wants mailed. */
export interface CodeMailAsk {
  readonly email: string;
  /** The client network. */
  readonly client: string;
  /**
   * Whether it would be mailed. Where not, for want of an account, it counts where nobody reads: such asks take the same
   * writes, and use up nothing of what an account made later may get.
   */
  readonly due: boolean;
}

/** Whether one more code may be mailed to the address today, by any route, which then is counted. */
export const takeCodeMail = (kit: Kit, ask: CodeMailAsk): Promise<boolean> => take(kit, ask, []);

/**
 * The same for a code that nobody asked for by name, of a registration: those have a number of their own besides, so
 * that they do not use up what an owner asks for.
 * See decision 0003.
 */
export const countUnaskedCodeMail = (kit: Kit, email: string, client: string): Promise<boolean> => {
  const unasked = { key: unaskedCodeMailsKey(kit.digest, email), most: kit.policy.unaskedCodeMailsADay };
  return take(kit, { email, client, due: true }, [unasked]);
};

/** The same for a code of a login or of registering again: it counts in the resend route's allowance, too. */
export const takeUnaskedCodeMail = async (kit: Kit, email: string, client: string): Promise<boolean> => {
  const { resendLimit: limit, resendSeconds: seconds } = kit.policy;
  const budget = await kit.limiter.take(
    { name: 'account:resend', limit, seconds },
    accountKey(kit.digest, email),
  );
  return budget.allowed && (await countUnaskedCodeMail(kit, email, client));
};

const take = async (
  kit: Kit,
  { email, client, due }: CodeMailAsk,
  before: readonly Bounded[],
): Promise<boolean> => {
  const { clock, digest, policy, tries } = kit;
  const place = due ? '' : 'nobody:';
  const counts = [
    ...before,
    { key: `${place}${networkCodeMailsKey(digest, email, client)}`, most: policy.networkCodeMailsADay },
    { key: `${place}${codeMailsKey(digest, email)}`, most: policy.codeMailsADay },
  ];
  const over = await tries.addInTurn(counts, DAY, clock.now());
  return due && over === undefined;
};

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

type Tools = Pick<Kit, 'clock' | 'digest' | 'entries' | 'policy' | 'random'>;

/**
 * The account with a new reset code, its mail on the way, the previous code void. One that is `kept` for the owner is
 * replaced by no stranger's request, and strangers' wrong tries at it count apart.
 * See decision 0004.
 */
export const withNewResetCode = (kit: Tools, account: Account, kept: boolean): Account => {
  const { clock, digest, entries, policy, random } = kit;
  const code = newCrockford(random, 10);
  const reset = {
    digest: codeDigest(digest, 'reset', account.id, code),
    expiresAt: clock.now() + policy.resetCodeLife,
    tries: 0,
    strangersTries: kept ? 0 : null,
  };
  const facts = { minutes: String(Math.round(policy.resetCodeLife / 60_000)) };
  return withPending({ ...account, reset }, entries.mail(account, 'reset', facts, grouped(code, 5)));
};
