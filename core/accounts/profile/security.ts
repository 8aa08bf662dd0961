import { type OAuthAccount, shownIdentity } from '../account.ts';
import type { TwoFactor } from '../account-parts.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type PasskeyView, viewPasskey } from '../passkeys/views.ts';
import { factorHeldUntil } from '../sign-in/second-factor.ts';

/** A passkey as a list of ways to sign in shows it. */
export type ShortPasskey = Pick<PasskeyView, 'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'backedUp'>;

/** How the owner of an account gets in. Times are ISO 8601. */
export interface Security {
  readonly hasPassword: boolean;
  /** Null without a password, and while it is the one that the account began with. */
  readonly passwordChangedAt: string | null;
  readonly twoFactor: {
    readonly on: boolean;
    /** Null while it is off. */
    readonly recoveryCodesLeft: number | null;
    /** Until when no code is taken; null when codes are. */
    readonly heldUntil: string | null;
  };
  /** Empty where passkeys are switched off. */
  readonly passkeys: readonly ShortPasskey[];
  readonly providers: readonly OAuthAccount[];
}

const timeOf = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

const factorOf = ({ clock, policy }: Kit, factor: TwoFactor | null): Security['twoFactor'] =>
  factor === null
    ? { on: false, recoveryCodesLeft: null, heldUntil: null }
    : {
        on: true,
        recoveryCodesLeft: factor.recovery.length,
        heldUntil: timeOf(factorHeldUntil(factor, policy, clock.now())),
      };

export const makeShowSecurity =
  (kit: Kit) =>
  async (who: Identity): Promise<Security> => {
    const account = await kit.accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    const hasPassword = account.passwordHash !== null;
    const passkeys = kit.passkeys.relyingParty === null ? [] : account.passkeys;
    return {
      hasPassword,
      passwordChangedAt: hasPassword ? timeOf(account.passwordAt) : null,
      twoFactor: factorOf(kit, account.twoFactor),
      passkeys: passkeys.map(viewPasskey).map(({ id, name, createdAt, lastUsedAt, backedUp }) => ({
        ...{ id, name, createdAt, lastUsedAt, backedUp },
      })),
      providers: account.oauthAccounts.map(shownIdentity),
    };
  };
