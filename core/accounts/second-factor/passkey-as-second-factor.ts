import { TRUE, token } from '../../answer-schemas.ts';
import { flag, object, optional, type TypeOf } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { wrongCredentials } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import { beginCeremony } from '../passkeys/ceremony.ts';
import { noPasskey } from '../passkeys/errors.ts';
import { type PasskeyRequest, requestOptions, requireRelyingParty } from '../passkeys/request-options.ts';
import { actingSession, type Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { allowanceKeyOf, type ChargeAllowance } from '../throttle-keys.ts';
import { challengeSubject } from './check-second-factor.ts';
import { readPendingSignIn } from './pending-sign-in.ts';
import { newRecoveryCodes, RECOVERY_CODES } from './recovery-codes.ts';
import {
  changeFactor,
  finishFactorSwitch,
  newFactor,
  twoFactorOff,
  twoFactorOn,
  withFactor,
} from './switch-second-factor.ts';

export const configurePasskeyFactorInput = object({ enable: flag({ examples: [true] }) });
export type ConfigurePasskeyFactorInput = TypeOf<typeof configurePasskeyFactorInput>;

export const configurePasskeyFactorResult = object(
  { success: TRUE, recoveryCodes: optional(RECOVERY_CODES) },
  { title: 'PasskeyFactorSwitched' },
);
/** With recovery codes, shown only once, when the factor was turned on. */
export type ConfigurePasskeyFactorResult = TypeOf<typeof configurePasskeyFactorResult>;

/** Turns passkeys on as the only second factor, or off. Beside an authenticator app they are accepted in any case. */
export const makeConfigurePasskeyFactor = (deps: Deps) => {
  const { clock, entries } = deps;

  const switchOn = async (principal: Principal, caller: Caller): Promise<ConfigurePasskeyFactorResult> => {
    const { codes, digests } = newRecoveryCodes(deps, principal.user.id);
    const updatedAccount = await changeFactor<Account>(deps, principal, (account) => {
      if (account.twoFactor !== null) return { next: null, refuse: twoFactorOn() };
      if (usablePasskeys(deps, account).length === 0) return { next: null, refuse: noPasskey() };
      const twoFactor = {
        ...newFactor(clock.now(), digests),
        by: actingSession(principal.session),
        passkey: true,
      } as const;
      const next = withFactor(deps, principal, account, twoFactor, 'two_factor.passkey_on', caller);
      return { next, answer: next };
    });
    await finishFactorSwitch(deps, updatedAccount, caller);
    return { success: true, recoveryCodes: codes };
  };

  const switchOff = async (principal: Principal, caller: Caller): Promise<ConfigurePasskeyFactorResult> => {
    const action = 'two_factor.passkey_off';
    const updatedAccount = await changeFactor<Account>(deps, principal, (account) => {
      if (account.twoFactor?.passkey === undefined) return { next: null, refuse: twoFactorOff() };
      const { passkey: _, ...withoutPasskeys } = account.twoFactor;
      // An authenticator app that was added since stays the second factor, so no session ends.
      if (withoutPasskeys.secret !== null) {
        const row = entries.ownAudit(account.id, action, caller);
        const next = withPending({ ...account, twoFactor: withoutPasskeys, updatedAt: clock.now() }, row);
        return { next, answer: next };
      }
      const next = withFactor(deps, principal, account, null, action, caller);
      return { next, answer: next };
    });
    if (updatedAccount.twoFactor === null) await finishFactorSwitch(deps, updatedAccount, caller);
    return { success: true };
  };

  return async (
    principal: Principal,
    { enable }: ConfigurePasskeyFactorInput,
    caller: Caller,
  ): Promise<ConfigurePasskeyFactorResult> => {
    requireRelyingParty(deps);
    await requireFresh(deps, principal, caller);
    return enable ? switchOn(principal, caller) : switchOff(principal, caller);
  };
};

export const beginSecondPasskeyInput = object({
  email: EMAIL,
  pendingToken: token('From the answer `requires2FA`'),
});
export type BeginSecondPasskeyInput = TypeOf<typeof beginSecondPasskeyInput>;

/** Begins a challenge to the passkeys of an account whose first factor was proved. */
export const makeBeginSecondPasskey = (deps: Deps) => {
  const { accounts, clock, digest, domains, log } = deps;

  return async (
    input: BeginSecondPasskeyInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<PasskeyRequest> => {
    requireRelyingParty(deps);
    const email = canonicalEmail(domains, input.email);
    const account = await accounts.findByEmail(email);
    await charge?.(allowanceKeyOf(deps, email, account, caller));
    const pending = account && readPendingSignIn(digest, account, input.pendingToken, clock.now());
    if (account === undefined || pending === undefined) {
      log.info('sign_in.failed', { reason: 'wrong_credentials', ...calledFrom(caller) });
      throw wrongCredentials();
    }
    if (usablePasskeys(deps, account).length === 0) throw noPasskey();
    const { challenge, flow } = beginCeremony(deps, 'second', challengeSubject(account));
    return { options: requestOptions(deps, challenge, account, 'preferred'), flow };
  };
};
