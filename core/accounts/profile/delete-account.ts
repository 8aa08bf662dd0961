import type { Success } from '../../answer-schemas.ts';
import { object, optional, type TypeOf } from '../../schema.ts';
import { type Account, exists, restorableEmails } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision, Retry } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { operatorRole } from '../entitlement.ts';
import { wrongCredentials } from '../errors.ts';
import { makeAddOperatorMails, makeGuardFounders } from '../operators.ts';
import { makeRelayAccount } from '../outbox/relay.ts';
import { PASSWORD } from '../password-rules.ts';
import type { Principal } from '../principal.ts';
import {
  codeFactorOf,
  logRefusedFactor,
  proveFactor,
  SECOND_FACTOR,
} from '../second-factor/check-second-factor.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { toTombstone, toWaitingTombstone } from '../tombstone.ts';
import { checkCurrentPassword } from '../verify-password.ts';

export const deleteAccountInput = object({
  password: optional(PASSWORD),
  verificationCode: SECOND_FACTOR.verificationCode,
});
/** The password is required if the account has one, the code if two-factor authentication is on. */
export type DeleteAccountInput = TypeOf<typeof deleteAccountInput>;

/**
 * Replaces the account in one write by a tombstone, which nobody can sign in to and which lists the remaining removals.
 * The relay performs them at once, or later if that fails. While a change of the email can still be undone, the deletion can
 * be undone with it: then only the sessions end at once, and the other removals wait.
 */
export const makeDeleteAccount = (deps: Deps) => {
  const { accounts, change, clock, log, tokens, wake } = deps;
  const guardFounders = makeGuardFounders(deps);
  const addOperatorMails = makeAddOperatorMails(deps);
  const relayAccount = makeRelayAccount(deps);

  return async (principal: Principal, input: DeleteAccountInput, caller: Caller): Promise<Success> => {
    const { user, session } = principal;
    if (user.hasPassword) await checkCurrentPassword(deps, user, input.password, caller);
    else await requireFresh(deps, principal, caller);

    const hasFounderRole = operatorRole(user.entitlements) === 'founder';
    const deletedAccount = await guardFounders(hasFounderRole, user.id, (keepFounder) =>
      change(
        () => accounts.find(user.id),
        async (account): Promise<Decision<Account | null> | Retry> => {
          // A concurrent call has already deleted the account.
          if (!exists(account)) return { next: null, answer: null };
          // The account's sessions have ended since the caller was authenticated: the caller may be a thief.
          if (account.sessionEpoch !== user.sessionEpoch) return { next: null, refuse: wrongCredentials() };
          const proof = await proveFactor(deps, account, codeFactorOf(input), caller);
          if (proof.refuse !== null) return proof;
          const provedAccount = proof.account;
          const by = { actor: account.id, caller };
          // Whoever deletes the account may be a thief who has changed its email recently: then the removals wait.
          const mustWait = restorableEmails(provedAccount, clock.now()).length > 0;
          const deleted = mustWait
            ? toWaitingTombstone(deps, provedAccount, caller)
            : toTombstone(deps, provedAccount, by);
          const otherDecision = await keepFounder(account, deleted);
          if (otherDecision !== undefined) return otherDecision;
          const next = await addOperatorMails(account, deleted, { ...by, address: caller.address });
          return { next, answer: next };
        },
      ),
    ).catch(logRefusedFactor(deps, user.id, caller));
    tokens.forget(session.id);
    if (deletedAccount !== null) {
      log.info('account.deleted', { userId: user.id, ...calledFrom(caller) });
      // Before the response if possible. If that fails, `wake` starts the relay in the background.
      await relayAccount(deletedAccount.id).catch(wake);
    }
    return { success: true };
  };
};
