import type { Success } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import { object, type TypeOf } from '../../schema.ts';
import { type Account, endSessions, type ResetCode } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { writeDecoy } from '../code-mail-limits.ts';
import { afterWrongAttempt, matchingDigest, readCrockford, TYPED_CODE } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { invalidCode } from '../errors.ts';
import { forgetOtherAddresses, knownAddressDigest } from '../known-address.ts';
import { withPending } from '../outbox-entries.ts';
import { acceptPassword, PASSWORD, refuseCommon } from '../password-rules.ts';
import { endVoidedSessions } from '../sessions/list-and-end.ts';
import {
  allowanceKeyOf,
  type ChargeAllowance,
  hashOptionsFor,
  passwordAttemptsKeys,
} from '../throttle-keys.ts';

export const confirmPasswordResetInput = object({ email: EMAIL, code: TYPED_CODE, newPassword: PASSWORD });
export type ConfirmPasswordResetInput = TypeOf<typeof confirmPasswordResetInput>;

/** The account with its new password, and the keys under which wrong passwords were counted. */
interface ResetResult {
  readonly account: Account;
  readonly attemptsKeys: readonly string[];
}

/**
 * Whether a wrong code counts as a stranger's, and not against the code itself: strangers must not void a code that the owner or
 * an operator requested. `addressDigest` is undefined at a stranger's address, from which the owner has not signed in lately.
 */
const countsApart = ({ strangersTries }: ResetCode, addressDigest: string | undefined) => {
  // Null for a code that a stranger requested.
  const isOwners = strangersTries !== null;
  return isOwners && addressDigest === undefined;
};

const isLockedOut = (code: ResetCode, addressDigest: string | undefined, attemptsPerCode: number) =>
  countsApart(code, addressDigest) && (code.strangersTries ?? 0) >= attemptsPerCode;

/**
 * The reset code after a wrong attempt. Five wrong attempts void a code; five that count apart lock strangers out, and the
 * code stays valid at the owner's addresses.
 */
const afterWrongReset = (code: ResetCode, addressDigest: string | undefined, attemptsPerCode: number) =>
  countsApart(code, addressDigest)
    ? { ...code, strangersTries: (code.strangersTries ?? 0) + 1 }
    : afterWrongAttempt(code, attemptsPerCode);

export const makeConfirmPasswordReset = (deps: Deps) => {
  const { accounts, change, clock, digest, domains, entries, hasher, log, policy, attempts } = deps;

  return async (
    input: ConfirmPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<Success> => {
    const email = canonicalEmail(domains, input.email);
    await charge?.(allowanceKeyOf(deps, email, await accounts.findByEmail(email), caller));
    const password = await acceptPassword(deps, input.newPassword, { email, displayName: null });
    const typedCode = readCrockford(input.code);
    // Kept over repeated decisions, so that the password is hashed once.
    let hash: string | undefined;

    const redeemCode = async (account: Account | undefined): Promise<Decision<ResetResult>> => {
      const now = clock.now();
      const code = account?.reset ?? null;
      const addressDigest = knownAddressDigest(deps, account, caller.client);
      const isInvalid =
        code === null || code.expiresAt <= now || isLockedOut(code, addressDigest, policy.attemptsPerCode);
      if (account === undefined || isInvalid) {
        // A refusal costs a write, whether the email has an account or not.
        await writeDecoy(deps, email);
        return { next: null, refuse: invalidCode() };
      }
      if (matchingDigest(digest, 'reset', account.id, typedCode, [code.digest]) === undefined) {
        const reset = afterWrongReset(code, addressDigest, policy.attemptsPerCode);
        return { next: { ...account, reset }, refuse: invalidCode() };
      }
      // Checked only after the code, since the refusal reveals the display name. It leaves the code valid.
      await refuseCommon(deps, password, account);
      hash ??= await hasher.hash(password, hashOptionsFor(deps, email, account, caller));
      const withoutOtherAddresses = forgetOtherAddresses(digest, account, caller.client);
      const changed = {
        // null: no session is kept.
        ...endSessions(withoutOtherAddresses, null),
        passwordHash: hash,
        passwordAt: now,
        // No session set the password: the mailed code did.
        passwordBy: null,
        reset: null,
        updatedAt: now,
      };
      const row = entries.ownAudit(account.id, 'password.reset', caller);
      const notice = entries.notice(account, 'password-changed', caller);
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: { account: next, attemptsKeys: passwordAttemptsKeys(digest, account) } };
    };

    let userId: string | undefined;
    const find = async () => {
      const account = await accounts.findByEmail(email);
      userId = account?.id;
      return account;
    };
    const { account, attemptsKeys } = await change(find, redeemCode).catch((error: unknown) => {
      if (error instanceof CoreError && error.kind === 'unauthenticated') {
        log.info('password.reset_failed', { ...(userId !== undefined && { userId }), ...calledFrom(caller) });
      }
      throw error;
    });
    log.info('password.reset', { userId: account.id, ...calledFrom(caller) });
    await Promise.all([endVoidedSessions(deps, account), attempts.remove(attemptsKeys)]);
    return { success: true };
  };
};
