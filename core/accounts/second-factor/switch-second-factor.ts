import { CoreError } from '../../errors.ts';
import { type Account, endSessions, type TwoFactor } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal, User } from '../principal.ts';

export const twoFactorOn = () =>
  new CoreError('conflict', 'two_factor_on', 'Two-factor authentication is on already.');

export const twoFactorOff = () =>
  new CoreError('conflict', 'two_factor_off', 'Two-factor authentication is not on.');

/** The refusal of a call that another call of the same user overtook, which made the change or used up the proof. */
const refuseOvertaken = (user: User, account: Account) => {
  if (user.hasTwoFactor === (account.twoFactor !== null)) return invalidToken();
  return account.twoFactor === null ? twoFactorOff() : twoFactorOn();
};

/** A new second factor, which has only recovery codes yet. */
export const newFactor = (at: number, recovery: readonly string[]): TwoFactor & { readonly at: number } => ({
  at,
  secret: null,
  lastStep: 0,
  recovery,
  usedRecovery: [],
  wrongInRow: 0,
  heldUntil: null,
  wrongToday: null,
});

/**
 * Changes the account of the caller as a step of switching a second factor. A password reset or change raises the session
 * version: an earlier session may be the thief's, and must change nothing.
 */
export const changeOwnAccount = <T>(
  { changeUser }: Pick<Deps, 'changeUser'>,
  { user }: Principal,
  decide: (account: Account) => Decision<T> | Promise<Decision<T>>,
): Promise<T> =>
  changeUser<T>(user.id, (account) =>
    account.sessionEpoch === user.sessionEpoch
      ? decide(account)
      : { next: null, refuse: refuseOvertaken(user, account) },
  );

/** The account with its other sessions ended, and with the mail and the audit row about the switch. */
export const withNotices = (
  { clock, entries }: Pick<Deps, 'clock' | 'entries'>,
  account: Account,
  principal: Principal,
  action: string,
  caller: Caller,
): Account =>
  withPending(
    { ...endSessions(account, principal.session.id), updatedAt: clock.now() },
    entries.task('end-sessions'),
    entries.ownAudit(account.id, action, caller),
    entries.notice(account, account.twoFactor === null ? 'two-factor-off' : 'two-factor-on', caller),
  );

/** Ends the sessions after the account is written. */
export const endOtherSessions = async (
  { clock, log, sessions, wake }: Pick<Deps, 'clock' | 'log' | 'sessions' | 'wake'>,
  principal: Principal,
  account: Account,
  caller: Caller,
): Promise<void> => {
  const others = { keep: principal.session.id, beforeVersion: account.sessionEpoch };
  const event = account.twoFactor === null ? 'two_factor.off' : 'two_factor.on';
  log.info(event, { userId: account.id, ...calledFrom(caller) });
  // These sessions are invalid already, and the relay ends the rest. A failure must not lose the recovery codes.
  await sessions.endAll(account.id, others, clock.now()).catch(wake);
};
