import { type Success, TRUE } from '../../answer-schemas.ts';
import { invalid } from '../../errors.ts';
import { describedAs, object, optional, type TypeOf } from '../../schema.ts';
import { type Account, endTokens } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { wrongCredentials } from '../errors.ts';
import { forgetOtherAddresses } from '../known-address.ts';
import { withPending } from '../outbox-entries.ts';
import { acceptPassword, PASSWORD } from '../password-rules.ts';
import { actingSession, type Principal } from '../principal.ts';
import {
  codeFactorOf,
  logRefusedFactor,
  proveFactor,
  SECOND_FACTOR,
} from '../second-factor/check-second-factor.ts';
import { endVoidedSessions } from '../sessions/list-and-end.ts';
import { reissueTokens } from '../sessions/refresh.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { requireCookie } from '../sessions/session-cookie.ts';
import { SESSION_TOKENS, type SessionTokens } from '../sessions/session-secret.ts';
import { hashOptionsFor } from '../throttle-keys.ts';
import { checkCurrentPassword } from '../verify-password.ts';

export const changePasswordInput = object({
  currentPassword: optional(describedAs(PASSWORD, 'Needed when the account has one')),
  newPassword: PASSWORD,
  verificationCode: SECOND_FACTOR.verificationCode,
});
/**
 * If the account has a password, `currentPassword` is required, and `verificationCode` if two-factor authentication is
 * on. Otherwise the call needs a fresh proof, which includes the second factor.
 */
export type ChangePasswordInput = TypeOf<typeof changePasswordInput>;

export const changePasswordResult = object(
  { success: TRUE, ...SESSION_TOKENS },
  { title: 'PasswordChanged' },
);
/** The new secrets of the calling session. */
export type ChangePasswordResult = Success & SessionTokens;

export const makeChangePassword = (deps: Deps) => {
  const { clock, digest, entries, hasher, log } = deps;

  const prove = async (
    principal: Principal,
    currentPassword: string | undefined,
    caller: Caller,
  ): Promise<void> => {
    if (!principal.user.hasPassword) return requireFresh(deps, principal, caller);
    if (currentPassword === undefined) throw invalid('password_required', 'The current password is missing.');
    return checkCurrentPassword(deps, principal.user, currentPassword, caller);
  };

  return async (
    principal: Principal,
    input: ChangePasswordInput,
    caller: Caller,
  ): Promise<ChangePasswordResult> => {
    // Where the session is in a cookie, an access token does not do: the call gives the cookie a new value.
    requireCookie(principal);
    const isFirstPassword = !principal.user.hasPassword;
    const action = isFirstPassword ? 'password.set' : 'password.changed';
    const password = await acceptPassword(deps, input.newPassword, principal.user);
    await prove(principal, input.currentPassword, caller);
    // Kept over repeated decisions, so that the password is hashed once.
    let hash: string | undefined;

    const decide = async (account: Account): Promise<Decision<Account>> => {
      // The fresh proof included the second factor. If one was switched on meanwhile, `changeOwnAccount` refuses.
      const proof = isFirstPassword
        ? ({ account, refuse: null } as const)
        : await proveFactor(deps, account, codeFactorOf(input), caller);
      if (proof.refuse !== null) return proof;
      hash ??= await hasher.hash(password, hashOptionsFor(deps, account.email, account, caller));
      const now = clock.now();
      const withoutOtherAddresses = forgetOtherAddresses(digest, proof.account, caller.client);
      const changed = {
        ...endTokens(withoutOtherAddresses, principal.session.id),
        passwordHash: hash,
        passwordAt: now,
        passwordBy: actingSession(principal.session),
        updatedAt: now,
      };
      const row = entries.ownAudit(account.id, action, caller);
      const notice = entries.notice(account, isFirstPassword ? 'password-set' : 'password-changed', caller);
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: next };
    };

    const updatedAccount = await changeOwnAccount(deps, principal, decide, wrongCredentials).catch(
      logRefusedFactor(deps, principal.user.id, caller),
    );
    log.info(action, { userId: updatedAccount.id, ...calledFrom(caller) });
    const [tokens] = await Promise.all([
      reissueTokens(deps, principal, updatedAccount.sessionEpoch, caller),
      endVoidedSessions(deps, updatedAccount),
    ]);
    return { success: true, ...tokens };
  };
};
