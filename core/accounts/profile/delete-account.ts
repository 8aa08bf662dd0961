import type { Account } from '../account.ts';
import { makeRelayAccount } from '../aftermath/relay.ts';
import type { Decision } from '../change-account.ts';
import { wrongCredentials } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { codeIn, makeProvePassword, proveFactor } from '../sign-in/proof.ts';
import { logRefusedFactor, makeCheckFactor } from '../sign-in/second-factor.ts';
import { makeDeletion } from './deletion.ts';

export interface DeleteAccount {
  /** Needed when the account has one. */
  readonly password?: string;
  /** Needed when two-factor authentication is on. */
  readonly verificationCode?: string;
}

/**
 * One write leaves a tombstone that lets nobody in and lists what else must go. The relay works through that list, now
 * and after any crash.
 */
export const makeDeleteAccount = (kit: Kit) => {
  const { accounts, change, log, tokens } = kit;
  const deletion = makeDeletion(kit);
  const provePassword = makeProvePassword(kit);
  const needFresh = makeNeedFresh(kit);
  const checkFactor = makeCheckFactor(kit);
  const relayAccount = makeRelayAccount(kit);

  return async (who: Identity, input: DeleteAccount, caller: Caller): Promise<{ readonly success: true }> => {
    const { user: seen, session } = who;
    if (seen.hasPassword) await provePassword(seen, input.password, caller);
    else await needFresh(who, caller);

    const decide = async (found: Account | undefined): Promise<Decision<Account | null>> => {
      // Gone already, by a parallel call of the same wish.
      if (found === undefined || found.deletedAt !== null) return { next: null, answer: null };
      if (found.sessionEpoch !== seen.sessionEpoch) return { next: null, refuse: wrongCredentials() };
      const proved = await proveFactor(checkFactor, found, codeIn(input), caller);
      if (proved.refuse !== null) {
        return { next: proved.account === found ? null : proved.account, refuse: proved.refuse };
      }
      const next = deletion(found, { actor: found.id, caller });
      return { next, answer: next };
    };

    const gone = await change(() => accounts.find(seen.id), decide).catch(
      logRefusedFactor(kit, seen.id, caller),
    );
    tokens.forget(session.id);
    log.info('account.deleted', { userId: seen.id, ...calledFrom(caller) });
    // Best done before the answer; what fails now the relay does later, and the tombstone lets nobody in meanwhile.
    if (gone !== null) await relayAccount(gone.id).catch(() => kit.wake());
    return { success: true };
  };
};
