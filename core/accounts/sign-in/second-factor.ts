import { CoreError } from '../../errors.ts';
import type { Account, Tries, TwoFactor } from '../account.ts';
import { makeUsePasskey } from '../ceremonies/use-passkey.ts';
import { matchingDigest, readCrockford, readTyped } from '../codes.ts';
import { held, invalidTwoFactorCode } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { type AccountsPolicy, CLOCK_SET_BACK, DAY } from '../policy.ts';
import type { SecondFactor } from '../sessions/pending-login.ts';
import type { GivenFactor } from './given-factor.ts';

/** What a code did to the account: `next` when it changed, what it proves, or the refusal when it was not right. */
export type FactorChecked =
  | { readonly next: Account; readonly method: Factor; readonly refuse: null }
  | { readonly next: Account | null; readonly refuse: CoreError };

type Factor = SecondFactor;

const hasBegun = (today: Tries, now: number) => today.firstAt <= now + CLOCK_SET_BACK;

/** Until when no code is looked at; undefined when codes are taken. A clock that is set back makes no hold longer. */
export const factorHeldUntil = (
  factor: TwoFactor,
  policy: AccountsPolicy,
  now: number,
): number | undefined => {
  const { heldUntil, wrongToday } = factor;
  const dayEnds = wrongToday === null || !hasBegun(wrongToday, now) ? 0 : wrongToday.firstAt + DAY;
  const latest = now + policy.wrongTotpHold + CLOCK_SET_BACK;
  const ends = [
    heldUntil !== null && heldUntil > now && heldUntil <= latest ? heldUntil : 0,
    wrongToday !== null && wrongToday.count >= policy.wrongTotpADay && dayEnds > now ? dayEnds : 0,
  ];
  const until = Math.max(...ends);
  return until > 0 ? until : undefined;
};

/** The factor after one more wrong code: five in a row hold it for a while, ten in a day for the day. */
const afterWrongFactor = (factor: TwoFactor, policy: AccountsPolicy, now: number): TwoFactor => {
  const { wrongToday: today } = factor;
  const wrongToday: Tries =
    today !== null && hasBegun(today, now) && today.firstAt + DAY > now
      ? { ...today, count: today.count + 1 }
      : { count: 1, firstAt: now };
  const wrongInRow = factor.wrongInRow + 1;
  return wrongInRow >= policy.wrongTotpInRow
    ? { ...factor, wrongToday, wrongInRow: 0, heldUntil: now + policy.wrongTotpHold }
    : { ...factor, wrongToday, wrongInRow };
};

/** The seal's context: a secret copied to another user's record opens nothing there. */
export const totpContext = (userId: string): string => `totp:${userId}`;

/**
 * Checks a second factor, a TOTP code, a recovery code or a passkey, against an account that has one. The caller writes `next`
 * by its conditional write, so that a code is accepted once; one used already is refused without being counted as
 * wrong, so that a double click holds nobody. Throws `throttled` (`two_factor_held`) while held. Nobody guesses a passkey:
 * it is neither counted nor held.
 */
export const makeCheckFactor = (kit: Kit) => {
  const { clock, digest, entries, kms, policy, totp } = kit;
  const usePasskey = makeUsePasskey(kit);

  const checkCode = async (account: Account, factor: TwoFactor, code: string): Promise<FactorChecked> => {
    const now = clock.now();
    const heldUntil = factorHeldUntil(factor, policy, now);
    if (heldUntil !== undefined) throw held('two_factor_held', heldUntil, now);
    const proven = (change: Partial<TwoFactor>): Account => ({
      ...account,
      twoFactor: { ...factor, wrongInRow: 0, heldUntil: null, ...change },
    });

    const secret = factor.secret && (await kms.open(factor.secret, totpContext(account.id)));
    const step = secret ? totp.step(secret, readTyped(code), now, policy.totpWindow) : undefined;
    if (step !== undefined) {
      return step > factor.lastStep
        ? { next: proven({ lastStep: step }), method: 'totp', refuse: null }
        : { next: null, refuse: invalidTwoFactorCode() };
    }
    const typed = readCrockford(code);
    const among = (digests: readonly string[]) =>
      matchingDigest(digest, 'recovery', account.id, typed, digests);
    const taken = among(factor.recovery);
    if (taken !== undefined) {
      const recovery = factor.recovery.filter((one) => one !== taken);
      const usedRecovery = [...factor.usedRecovery, taken];
      const facts = { at: new Date(now).toISOString(), left: String(recovery.length) };
      const row = entries.audit({
        action: 'two_factor.recovery_code_used',
        actor: account.id,
        target: account.id,
        after: { left: recovery.length },
        caller: null,
      });
      const notice = entries.mail(account, 'recovery-code-used', facts);
      const next = withPending(proven({ recovery, usedRecovery }), row, notice);
      return { next, method: 'recovery', refuse: null };
    }
    const next =
      among(factor.usedRecovery) === undefined
        ? { ...account, twoFactor: afterWrongFactor(factor, policy, now) }
        : null;
    return { next, refuse: invalidTwoFactorCode() };
  };

  return async (
    account: Account,
    factor: TwoFactor,
    given: GivenFactor,
    caller: Caller,
  ): Promise<FactorChecked> => {
    if ('code' in given) return checkCode(account, factor, given.code);
    const used = usePasskey(account, given.passkey, caller);
    return used.refuse === null ? { ...used, method: 'passkey' } : used;
  };
};

export type CheckFactor = ReturnType<typeof makeCheckFactor>;

/** Takes what a change threw that asked for a second factor, and says in the log when that was the reason. */
export const logRefusedFactor =
  ({ log }: Pick<Kit, 'log'>, userId: string, caller: Caller) =>
  (error: unknown): never => {
    const code = error instanceof CoreError ? error.code : undefined;
    const from = { userId, ...calledFrom(caller) };
    if (code === 'invalid_two_factor_code') log.info('two_factor.failed', from);
    if (code === 'two_factor_held') log.warn('two_factor.held', from);
    throw error;
  };
