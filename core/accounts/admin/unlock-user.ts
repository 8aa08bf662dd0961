import type { TwoFactor } from '../account.ts';
import type { Deps } from '../deps.ts';
import { factorLockedUntil } from '../second-factor/check-second-factor.ts';
import { codeAttemptsKey, codeAttemptsOf, emailsWithCodes, passwordAttemptsKeys } from '../throttle-keys.ts';
import {
  type AdminActionResult,
  type AdminActionRules,
  makeAdminAction,
  type Operator,
} from './admin-action.ts';
import { findUser } from './find-user.ts';

const withoutLockout = (factor: TwoFactor): TwoFactor => ({
  ...factor,
  wrongInRow: 0,
  heldUntil: null,
  wrongToday: null,
});

/** Ends the lockout of the second factor, which the account holds, and deletes the counts of wrong passwords and codes. */
export const makeUnlock = (deps: Deps, rules: AdminActionRules) => {
  const { clock, digest, policy, attempts } = deps;
  const runAction = makeAdminAction(deps, rules);

  const countOf = async (keys: readonly string[]): Promise<number> => {
    const counters = await Promise.all(keys.map((key) => attempts.find(key, clock.now())));
    return counters.reduce((sum, counter) => sum + (counter?.count ?? 0), 0);
  };

  return async (user: string, by: Operator): Promise<AdminActionResult> => {
    const account = await findUser(deps, user);
    const passwordKeys = passwordAttemptsKeys(digest, account);
    const emails = emailsWithCodes(account, clock.now());
    const codeKeys = emails.map((email) => codeAttemptsKey(digest, email, account.id));
    // A wrong code is counted for the account and for the client network. Both counts are deleted below; the audit row has only
    // the count for the account.
    const [wrongPasswords, wrongCodes] = await Promise.all([countOf(passwordKeys), countOf(codeKeys)]);
    const result = await runAction(account.id, by, (current, now) => {
      const factor = current.twoFactor;
      const lockedUntil = factor === null ? undefined : factorLockedUntil(factor, policy, now);
      return {
        next: { ...current, twoFactor: factor && withoutLockout(factor) },
        before: { wrongPasswords, wrongCodes, twoFactorHeld: lockedUntil !== undefined },
        after: { wrongPasswords: 0, wrongCodes: 0, twoFactorHeld: false },
      };
    });
    await Promise.all([
      attempts.remove(passwordKeys),
      ...emails.map((email) => attempts.removeUnder(codeAttemptsOf(digest, email))),
    ]);
    return result;
  };
};
