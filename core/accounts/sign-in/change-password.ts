import { invalid } from '../../errors.ts';
import { type Account, endTokens } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { wrongCredentials } from '../errors.ts';
import { forgetOtherAddresses, hashedFor } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { type Kept, needCookie } from '../sessions/cookie.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { makeRenewPair } from '../sessions/renew-pair.ts';
import { acceptPassword } from './password.ts';
import { codeIn, makeProvePassword, proveFactor } from './proof.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

export interface ChangePassword {
  /** Needed when the account has one; without one the new password needs a fresh proof. */
  readonly currentPassword?: string;
  readonly newPassword: string;
  /** Needed when two-factor authentication is on. */
  readonly verificationCode?: string;
}

export interface PasswordChanged extends Kept {
  readonly success: true;
}

export const makeChangePassword = (kit: Kit) => {
  const { changeUser, clock, digest, entries, hasher, log, sessions, wake } = kit;
  const provePassword = makeProvePassword(kit);
  const needFresh = makeNeedFresh(kit);
  const checkFactor = makeCheckFactor(kit);
  const renewPair = makeRenewPair(kit);

  const prove = async (who: Identity, given: string | undefined, caller: Caller): Promise<void> => {
    if (!who.user.hasPassword) return needFresh(who, caller);
    if (given === undefined) throw invalid('password_required', 'The current password is missing.');
    return provePassword(who.user, given, caller);
  };

  return async (who: Identity, input: ChangePassword, caller: Caller): Promise<PasswordChanged> => {
    needCookie(who);
    const isFirst = !who.user.hasPassword;
    const password = await acceptPassword(kit, input.newPassword, who.user);
    await prove(who, input.currentPassword, caller);
    const epoch = who.user.sessionEpoch;
    let hash: string | undefined;

    const decide = async (found: Account): Promise<Decision<Account>> => {
      if (found.sessionEpoch !== epoch) return { next: null, refuse: wrongCredentials() };
      const proved = await proveFactor(checkFactor, found, codeIn(input), caller);
      if (proved.refuse !== null) {
        return { next: proved.account === found ? null : proved.account, refuse: proved.refuse };
      }
      hash ??= await hasher.hash(password, hashedFor(kit, found.email, found, caller));
      const now = clock.now();
      const at = new Date(now).toISOString();
      const forgotten = forgetOtherAddresses(digest, proved.account, caller.client);
      const changed = {
        ...endTokens(forgotten, who.session.id),
        passwordHash: hash,
        passwordAt: now,
        updatedAt: now,
      };
      const action = isFirst ? 'password.set' : 'password.changed';
      const row = entries.audit({ action, actor: found.id, target: found.id, caller });
      const facts = { at, address: caller.address };
      const notice = entries.mail(found, isFirst ? 'password-set' : 'password-changed', facts);
      const next = withPending(changed, entries.task('end-sessions'), row, notice);
      return { next, answer: next };
    };

    const { id } = who.user;
    const account = await changeUser(id, decide).catch(logRefusedFactor(kit, id, caller));
    log.info(isFirst ? 'password.set' : 'password.changed', { userId: account.id, ...calledFrom(caller) });
    const others = { keep: who.session.id, beforeEpoch: account.sessionEpoch };
    const [kept] = await Promise.all([
      renewPair(who, account.sessionEpoch, caller),
      // They are cut off already, and the relay ends what this cannot.
      sessions.endAll(account.id, others, clock.now()).catch(wake),
    ]);
    return { success: true, ...kept };
  };
};
