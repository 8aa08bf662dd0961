import type { Account } from '../account.ts';
import { codeDigest, grouped, newCrockford } from '../codes.ts';
import type { Kit } from '../kit.ts';
import { withPending } from '../pending.ts';

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
