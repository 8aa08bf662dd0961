import type { Account } from '../account.ts';
import { noPasskey } from '../ceremonies/errors.ts';
import { siteOf } from '../ceremonies/options.ts';
import type { Identity } from '../identity.ts';
import { usablePasskeys } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { alreadyOn, makeSwitchFactor, newFactor, notOn } from '../sign-in/switch-factor.ts';

export interface ConfigurePasskeyFactor {
  readonly enable: boolean;
}

export interface PasskeyFactorConfigured {
  readonly success: true;
  /** Shown this once, when it was switched on. */
  readonly recoveryCodes?: readonly string[];
}

/**
 * Switches passkeys on as the second factor, without an authenticator app, or off. Whoever has such an app on may use
 * passkeys in its place anyway.
 */
export const makeConfigurePasskeyFactor = (kit: Kit) => {
  const { clock, entries } = kit;
  const needFresh = makeNeedFresh(kit);
  const { changeOwn, told, endOthers } = makeSwitchFactor(kit);

  const on = async (who: Identity, caller: Caller): Promise<PasskeyFactorConfigured> => {
    const { codes, digests } = newRecoveryCodes(kit, who.user.id);
    const account = await changeOwn<Account>(who, (found) => {
      if (found.twoFactor !== null) return { next: null, refuse: alreadyOn() };
      if (usablePasskeys(kit, found).length === 0) return { next: null, refuse: noPasskey() };
      const twoFactor = { ...newFactor(clock.now(), digests), passkey: true } as const;
      const how = { state: 'on', action: 'two_factor.passkey_on' } as const;
      const begun = { ...found, twoFactor, twoFactorSetup: null, twoFactorSetupBy: null };
      const next = told(begun, who, how, caller);
      return { next, answer: next };
    });
    await endOthers(who, account, caller);
    return { success: true, recoveryCodes: codes };
  };

  const off = async (who: Identity, caller: Caller): Promise<PasskeyFactorConfigured> => {
    const action = 'two_factor.passkey_off';
    const account = await changeOwn<Account>(who, (found) => {
      if (found.twoFactor?.passkey === undefined) return { next: null, refuse: notOn() };
      const { passkey: _, ...app } = found.twoFactor;
      if (app.secret !== null) {
        const row = entries.audit({ action, actor: found.id, target: found.id, caller });
        const next = withPending({ ...found, twoFactor: app, updatedAt: clock.now() }, row);
        return { next, answer: next };
      }
      const ended = { ...found, twoFactor: null, twoFactorSetup: null, twoFactorSetupBy: null };
      const next = told(ended, who, { state: 'off', action }, caller);
      return { next, answer: next };
    });
    if (account.twoFactor === null) await endOthers(who, account, caller);
    return { success: true };
  };

  return async (
    who: Identity,
    { enable }: ConfigurePasskeyFactor,
    caller: Caller,
  ): Promise<PasskeyFactorConfigured> => {
    siteOf(kit);
    await needFresh(who, caller);
    return enable ? on(who, caller) : off(who, caller);
  };
};
