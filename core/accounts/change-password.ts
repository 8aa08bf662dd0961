import { type Account, endSessions } from './account.ts';
import type { Decision } from './change-account.ts';
import { withPending } from './entries.ts';
import { invalidToken, wrongCredentials } from './errors.ts';
import type { Identity } from './identity.ts';
import { hashedFor } from './keys.ts';
import type { Kit } from './kit.ts';
import { type Caller, calledFrom } from './needs.ts';
import { acceptPassword } from './password.ts';
import { makeProvePassword, proveFactor } from './proof.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

export interface ChangePassword {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Needed when two-factor authentication is on. */
  readonly verificationCode?: string;
}

/** Changes the password and ends the user's other sessions. Throws as `proof.ts` says, and `invalid` for a bad one. */
export const makeChangePassword = (kit: Kit) => {
  const { accounts, change, clock, entries, hasher, log, sessions } = kit;
  const provePassword = makeProvePassword(kit);
  const checkFactor = makeCheckFactor(kit);

  return async (
    who: Identity,
    input: ChangePassword,
    caller: Caller,
  ): Promise<{ readonly success: true }> => {
    const password = await acceptPassword(kit, input.newPassword, who.account);
    await provePassword(who.account, input.currentPassword, caller);
    const epoch = who.account.sessionEpoch;
    let hash: string | undefined;

    const decide = async (found: Account | undefined): Promise<Decision<Account>> => {
      if (found === undefined || found.deletedAt !== null) return { next: null, refuse: invalidToken() };
      if (found.sessionEpoch !== epoch) return { next: null, refuse: wrongCredentials() };
      const proved = await proveFactor(checkFactor, found, input.verificationCode);
      if (proved.refuse !== null) {
        return { next: proved.account === found ? null : proved.account, refuse: proved.refuse };
      }
      hash ??= await hasher.hash(password, hashedFor(kit, found.email, found, caller));
      const now = clock.now();
      const at = new Date(now).toISOString();
      const changed = { ...endSessions(proved.account, who.session.id), passwordHash: hash, updatedAt: now };
      const row = entries.audit({ action: 'password.changed', actor: found.id, target: found.id, caller });
      const notice = entries.mail(found, 'password-changed', { at, address: caller.address });
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: next };
    };

    const { id } = who.account;
    const account = await change(() => accounts.find(id), decide).catch(logRefusedFactor(kit, id, caller));
    const others = { keep: who.session.id, beforeEpoch: account.sessionEpoch };
    await sessions.endAll(account.id, others, clock.now());
    log.info('password.changed', { userId: account.id, ...calledFrom(caller) });
    return { success: true };
  };
};
