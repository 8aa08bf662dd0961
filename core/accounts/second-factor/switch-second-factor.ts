import { CoreError } from '../../errors.ts';
import { type Account, endSessions, type TwoFactor } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import type { Principal } from '../principal.ts';
import { endVoidedSessions } from '../sessions/list-and-end.ts';

export const twoFactorOn = () =>
  new CoreError('conflict', 'two_factor_on', 'Two-factor authentication is on already.');

export const twoFactorOff = () =>
  new CoreError('conflict', 'two_factor_off', 'Two-factor authentication is not on.');

/** A new second factor, which has only recovery codes yet. `lastStep` 0 lies before every time step: no code was used yet. */
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
 * Changes the caller's account. If another change has raised the account's session version meanwhile, the refusal is
 * `two_factor_on` or `two_factor_off` if that change switched the second factor, else `invalid_token`.
 */
export const changeFactor = <T>(
  deps: Deps,
  principal: Principal,
  decide: (account: Account) => Decision<T> | Promise<Decision<T>>,
): Promise<T> =>
  changeOwnAccount(deps, principal, decide, ({ twoFactor }) => {
    if (principal.user.hasTwoFactor === (twoFactor !== null)) return invalidToken();
    return twoFactor === null ? twoFactorOff() : twoFactorOn();
  });

/** Returns the account with this second factor (null: without one), its other sessions ended. Adds the mail and the audit row. */
export const withFactor = (
  { clock, entries }: Pick<Deps, 'clock' | 'entries'>,
  { session }: Principal,
  account: Account,
  twoFactor: TwoFactor | null,
  action: string,
  caller: Caller,
): Account =>
  withPending(
    {
      ...endSessions(account, session.id),
      twoFactor,
      twoFactorSetup: null,
      twoFactorSetupBy: null,
      updatedAt: clock.now(),
    },
    entries.task('end-sessions'),
    entries.ownAudit(account.id, action, caller),
    entries.notice(account, twoFactor === null ? 'two-factor-off' : 'two-factor-on', caller),
  );

/** Logs the switch and ends the other sessions at once; if that fails, the task that `withFactor` added does so. */
export const finishFactorSwitch = async (deps: Deps, account: Account, caller: Caller): Promise<void> => {
  const event = account.twoFactor === null ? 'two_factor.off' : 'two_factor.on';
  deps.log.info(event, { userId: account.id, ...calledFrom(caller) });
  await endVoidedSessions(deps, account);
};
