import { CoreError, invalid } from '../../errors.ts';
import { type ObjectOf, optional, text } from '../../schema.ts';
import { type Account, type Attempts, latestStart, type TwoFactor } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { matchingDigest, readCrockford, readTyped } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { invalidTwoFactorCode, lockedOut } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import type { CeremonySubject } from '../passkeys/ceremony.ts';
import {
  checkAssertion,
  passkeyAssertion,
  recordPasskeyUse,
  type VerifiedAssertion,
} from '../passkeys/check-assertion.ts';
import { type AccountsPolicy, CLOCK_SET_BACK_MS, DAY } from '../policy.ts';
import type { Principal } from '../principal.ts';
import type { Method } from '../session.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import type { SecondFactor } from '../sign-in-methods.ts';

export const SECOND_FACTOR = {
  verificationCode: optional(
    text({
      minLength: 1,
      maxLength: 64,
      description: 'A code of the authenticator app, or a recovery code',
      examples: ['287082'],
    }),
  ),
  passkey: optional(passkeyAssertion),
};
/** A code, or the assertion of a passkey: one of them is required where two-factor authentication is on. */
export type SecondFactorInput = ObjectOf<typeof SECOND_FACTOR>;

/** A second factor to check against the account: a code, or a passkey whose signature was valid. */
export type SubmittedFactor =
  | {
      readonly code: string;
      /** Whether a recovery code is accepted; true where absent. */
      readonly acceptsRecovery?: boolean;
    }
  | { readonly passkey: VerifiedAssertion };

export const isFactorSubmitted = ({ verificationCode, passkey }: SecondFactorInput): boolean =>
  verificationCode !== undefined || passkey !== undefined;

/**
 * Reads the second factor of a call; undefined if there is none. A passkey's signature is checked and its challenge spent
 * here, once, and not again when a second attempt writes the account. Throws `invalid` (`one_factor_only`) and
 * `unauthenticated` (`invalid_passkey`).
 */
export const readSubmittedFactor = async (
  deps: Deps,
  { verificationCode, passkey }: SecondFactorInput,
  account: Account,
  requirement: {
    readonly purpose: 'second' | 'reauth';
    readonly subject: CeremonySubject;
    readonly verifiesUser: boolean;
  },
  caller: Caller,
): Promise<SubmittedFactor | undefined> => {
  if (passkey === undefined) return verificationCode === undefined ? undefined : { code: verificationCode };
  if (verificationCode !== undefined) throw invalid('one_factor_only', 'Send a code or a passkey, not both.');
  return {
    passkey: await checkAssertion(deps, passkey, { ...requirement, findOwner: async () => account }, caller),
  };
};

/** The second factor of a call that accepts no passkey. */
export const codeFactorOf = ({ verificationCode: code }: Pick<SecondFactorInput, 'verificationCode'>) =>
  code === undefined ? undefined : { code };

/** The subject of the challenge that a passkey answers as the second factor at sign-in. */
export const challengeSubject = ({ id, sessionEpoch }: Account): CeremonySubject => ({
  userId: id,
  epoch: sessionEpoch,
  sessionId: null,
});

/** The changed account (`next`) with the method that was proved, or with the refusal. */
export type FactorCheckResult =
  | { readonly next: Account; readonly method: SecondFactor; readonly refuse: null }
  | { readonly next: Account | null; readonly refuse: CoreError };

/** False for a count that was begun before the clock was set back: it must not last until the clock has caught up. */
const hasStarted = (today: Attempts, now: number) => today.firstAt <= latestStart(now);

/** The end of the lockout; undefined when codes are accepted. Setting the clock back makes no lockout longer. */
export const factorLockedUntil = (
  factor: TwoFactor,
  policy: AccountsPolicy,
  now: number,
): number | undefined => {
  const { heldUntil, wrongToday } = factor;
  const latestEnd = now + policy.totpLockoutMs + CLOCK_SET_BACK_MS;
  const shortLockEnd = heldUntil !== null && heldUntil <= latestEnd ? heldUntil : 0;
  const isDayUsedUp =
    wrongToday !== null && hasStarted(wrongToday, now) && wrongToday.count >= policy.wrongTotpADay;
  const dayLockEnd = isDayUsedUp ? wrongToday.firstAt + DAY : 0;
  const until = Math.max(shortLockEnd, dayLockEnd);
  return until > now ? until : undefined;
};

/** The factor after another wrong code: five in a row lock it for a while, ten in a day for the day. */
const afterWrongFactor = (factor: TwoFactor, policy: AccountsPolicy, now: number): TwoFactor => {
  const { wrongToday: today } = factor;
  const wrongToday: Attempts =
    today !== null && hasStarted(today, now) && today.firstAt + DAY > now
      ? { ...today, count: today.count + 1 }
      : { count: 1, firstAt: now };
  const wrongInRow = factor.wrongInRow + 1;
  return wrongInRow >= policy.wrongTotpInRow
    ? { ...factor, wrongToday, wrongInRow: 0, heldUntil: now + policy.totpLockoutMs }
    : { ...factor, wrongToday, wrongInRow };
};

/** The context of the seal: a secret copied to another user's record cannot be opened there. */
export const totpContext = (userId: string): string => `totp:${userId}`;

/** A used code is refused without counting as wrong, so that a double click locks nobody out. */
const checkCode = async (
  deps: Deps,
  account: Account,
  factor: TwoFactor,
  { code, acceptsRecovery = true }: Extract<SubmittedFactor, { readonly code: string }>,
  caller: Caller,
): Promise<FactorCheckResult> => {
  const { clock, digest, entries, kms, policy, totp } = deps;
  const now = clock.now();
  const lockedUntil = factorLockedUntil(factor, policy, now);
  if (lockedUntil !== undefined) throw lockedOut('two_factor_held', lockedUntil, now);
  const afterProof = (change: Partial<TwoFactor>): Account => ({
    ...account,
    twoFactor: { ...factor, wrongInRow: 0, heldUntil: null, ...change },
  });

  const secret = factor.secret && (await kms.open(factor.secret, totpContext(account.id)));
  const step = secret ? totp.step(secret, readTyped(code), now, policy.totpWindow) : undefined;
  if (step !== undefined) {
    return step > factor.lastStep
      ? { next: afterProof({ lastStep: step }), method: 'totp', refuse: null }
      : { next: null, refuse: invalidTwoFactorCode() };
  }
  const typedCode = readCrockford(code);
  const findIn = (digests: readonly string[]) =>
    matchingDigest(digest, 'recovery', account.id, typedCode, digests);
  const matched = acceptsRecovery ? findIn(factor.recovery) : undefined;
  if (matched !== undefined) {
    const recovery = factor.recovery.filter((storedDigest) => storedDigest !== matched);
    const usedRecovery = [...factor.usedRecovery, matched];
    const row = entries.ownAudit(account.id, 'two_factor.recovery_code_used', caller, {
      after: { left: recovery.length },
    });
    const notice = entries.notice(account, 'recovery-code-used', caller, { left: String(recovery.length) });
    const next = withPending(afterProof({ recovery, usedRecovery }), row, notice);
    return { next, method: 'recovery', refuse: null };
  }
  const wasUsedBefore = findIn(factor.usedRecovery) !== undefined;
  const next = wasUsedBefore ? null : { ...account, twoFactor: afterWrongFactor(factor, policy, now) };
  return { next, refuse: invalidTwoFactorCode() };
};

/**
 * Checks a second factor: a TOTP code, a recovery code or a passkey. The caller writes `next` by its conditional write, so
 * that a code is accepted once. Throws `throttled` (`two_factor_held`) during a lockout. Passkeys cannot be guessed: they
 * are neither counted nor locked out.
 */
export const checkFactor = async (
  deps: Deps,
  account: Account,
  factor: TwoFactor,
  secondFactor: SubmittedFactor,
  caller: Caller,
): Promise<FactorCheckResult> => {
  if ('code' in secondFactor) return checkCode(deps, account, factor, secondFactor, caller);
  const result = recordPasskeyUse(deps, account, secondFactor.passkey, caller);
  return result.refuse === null ? { ...result, method: 'passkey' } : result;
};

/** Logs an error of a call that asked for a second factor, if the factor caused it, and throws it again. */
export const logRefusedFactor =
  ({ log }: Pick<Deps, 'log'>, userId: string, caller: Caller) =>
  (error: unknown): never => {
    const code = error instanceof CoreError ? error.code : undefined;
    const fields = { userId, ...calledFrom(caller) };
    if (code === 'invalid_two_factor_code') log.info('two_factor.failed', fields);
    if (code === 'two_factor_held') log.warn('two_factor.held', fields);
    throw error;
  };

/** The account with the code spent and the methods proved, or the refusal. */
type FactorProof =
  | { readonly account: Account; readonly methods: readonly Method[]; readonly refuse: null }
  | { readonly next: Account | null; readonly refuse: CoreError };

const codeMissing = () => invalid('code_required', 'The two-factor code is missing.');

/** Requires a second factor where the account has one. Throws `invalid` (`code_required`), and what `checkFactor` throws. */
export const proveFactor = async (
  deps: Deps,
  account: Account,
  secondFactor: SubmittedFactor | undefined,
  caller: Caller,
): Promise<FactorProof> => {
  if (account.twoFactor === null) return { account, methods: [], refuse: null };
  if (secondFactor === undefined) throw codeMissing();
  const result = await checkFactor(deps, account, account.twoFactor, secondFactor, caller);
  return result.refuse === null ? { account: result.next, methods: [result.method], refuse: null } : result;
};

/**
 * Requires a code to change the second factor itself. An owner with a passkey who has used all recovery codes may have no code: a
 * fresh proof, which includes the second factor, replaces it. Throws `invalid` (`code_required`), `forbidden`
 * (`fresh_authentication_needed`), and what `checkFactor` throws.
 */
export const proveFactorByCode = async (
  deps: Deps,
  principal: Principal,
  account: Account,
  code: string | undefined,
  caller: Caller,
): Promise<FactorProof> => {
  if (code !== undefined) return proveFactor(deps, account, { code }, caller);
  const mayHaveNoCode = account.twoFactor?.recovery.length === 0 && account.passkeys.length > 0;
  if (!mayHaveNoCode) throw codeMissing();
  await requireFresh(deps, principal, caller);
  return { account, methods: [], refuse: null };
};
