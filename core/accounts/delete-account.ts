import { type Account, tombstone } from './account.ts';
import type { Identity } from './authenticate.ts';
import type { Decision } from './change-account.ts';
import { withPending } from './entries.ts';
import { wrongCredentials } from './errors.ts';
import type { Kit } from './kit.ts';
import { type Caller, calledFrom } from './needs.ts';
import { makeProvePassword, proveFactor } from './proof.ts';
import { makeRelayAccount } from './relay.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

export interface DeleteAccount {
  /** Needed when the account has one. */
  readonly password?: string;
  /** Needed when two-factor authentication is on. */
  readonly verificationCode?: string;
}

/**
 * Deletes the account. One write leaves a tombstone that lets nobody in and lists what else must go; the relay works
 * through that list, now and after any crash. Throws as `proof.ts` says.
 */
export const makeDeleteAccount = (kit: Kit) => {
  const { accounts, change, clock, entries, log, tokens } = kit;
  const provePassword = makeProvePassword(kit);
  const checkFactor = makeCheckFactor(kit);
  const relayAccount = makeRelayAccount(kit);

  return async (who: Identity, input: DeleteAccount, caller: Caller): Promise<{ readonly success: true }> => {
    const { account: seen, session } = who;
    if (seen.passwordHash !== null) await provePassword(seen, input.password, caller);

    const decide = async (found: Account | undefined): Promise<Decision<Account | null>> => {
      // Gone already, by a parallel call of the same wish.
      if (found === undefined || found.deletedAt !== null) return { next: null, answer: null };
      if (found.sessionEpoch !== seen.sessionEpoch) return { next: null, refuse: wrongCredentials() };
      const proved = await proveFactor(checkFactor, found, input.verificationCode);
      if (proved.refuse !== null) {
        return { next: proved.account === found ? null : proved.account, refuse: proved.refuse };
      }
      const now = clock.now();
      // What happened before is still to be told; mails and audit rows that wait are erased with the rest.
      const untold = found.pending.filter(({ kind }) => kind === 'event');
      const next = withPending(
        { ...tombstone(found, now), pending: untold },
        entries.task('end-sessions'),
        entries.task('erase-objects'),
        entries.task('erase-mail'),
        entries.task('erase-audit'),
        entries.mail(found, 'account-deleted', { at: new Date(now).toISOString() }),
        entries.event('user.deleted', found.id),
        entries.audit({ action: 'account.deleted', actor: found.id, target: found.id, caller }),
      );
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
