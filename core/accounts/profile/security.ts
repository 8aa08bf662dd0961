import { type OAuthAccount, shownIdentity, type TwoFactor } from '../account.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { type PasskeyView, viewPasskey } from '../passkeys/passkey-view.ts';
import type { Principal } from '../principal.ts';
import { factorLockedUntil } from '../second-factor/check-second-factor.ts';

/** A passkey as the list of sign-in methods shows it. */
export type ShortPasskey = Pick<PasskeyView, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'backedUp'>;

/** The sign-in methods of an account's owner. Times are ISO 8601. */
export interface Security {
  readonly hasPassword: boolean;
  /** Null without a password, and for the first password of the account. */
  readonly passwordChangedAt: string | null;
  readonly twoFactor: {
    readonly on: boolean;
    /** Null while two-factor authentication is off. */
    readonly recoveryCodesLeft: number | null;
    /** The end of a lockout; null while codes are accepted. */
    readonly heldUntil: string | null;
  };
  /** Empty if passkeys are switched off. */
  readonly passkeys: readonly ShortPasskey[];
  readonly providers: readonly OAuthAccount[];
}

const timeOf = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

const factorOf = ({ clock, policy }: Deps, factor: TwoFactor | null): Security['twoFactor'] =>
  factor === null
    ? { on: false, recoveryCodesLeft: null, heldUntil: null }
    : {
        on: true,
        recoveryCodesLeft: factor.recovery.length,
        heldUntil: timeOf(factorLockedUntil(factor, policy, clock.now())),
      };

export const makeShowSecurity =
  (deps: Deps) =>
  async (who: Principal): Promise<Security> => {
    const account = await deps.accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    const hasPassword = account.passwordHash !== null;
    const passkeys = deps.passkeys.relyingParty === null ? [] : account.passkeys;
    return {
      hasPassword,
      passwordChangedAt: hasPassword ? timeOf(account.passwordAt) : null,
      twoFactor: factorOf(deps, account.twoFactor),
      passkeys: passkeys.map(viewPasskey).map(({ id, name, createdAt, lastUsedAt, backedUp }) => ({
        id,
        name,
        createdAt,
        lastUsedAt,
        backedUp,
      })),
      providers: account.oauthAccounts.map(shownIdentity),
    };
  };
