import { isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { flag, integer, list, nullable, object, type TypeOf } from '../../schema.ts';
import { oauthAccount, shownIdentity, type TwoFactor } from '../account.ts';
import { findOwnAccount } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { shortPasskey, viewShortPasskey } from '../passkeys/passkey-view.ts';
import type { Principal } from '../principal.ts';
import { factorLockedUntil } from '../second-factor/check-second-factor.ts';

export const security = object(
  {
    hasPassword: flag({ description: 'Whether there is a password', examples: [true] }),
    passwordChangedAt: timeOrNull(
      'Null without a password, and while it is the one that the account began with',
      '2026-11-21T18:00:00.000Z',
    ),
    twoFactor: object(
      {
        on: flag({ description: 'Whether it is on', examples: [true] }),
        recoveryCodesLeft: nullable(
          integer({ description: 'Null while it is off', minimum: 0, examples: [10] }),
        ),
        heldUntil: timeOrNull('The end of the lockout; null while codes are accepted'),
      },
      { title: 'SecondFactor' },
    ),
    passkeys: list(shortPasskey, {
      description: 'Empty where passkeys are turned off',
      maxItems: 20,
    }),
    providers: list(oauthAccount),
  },
  { title: 'Security' },
);
/**
 * The sign-in methods of an account's owner. Times are ISO 8601. `passwordChangedAt` is null without a password, and for
 * the password that the account began with; `recoveryCodesLeft` is null while two-factor authentication is off; `heldUntil`,
 * the end of a lockout, is null while codes are accepted. `passkeys` is empty if passkeys are turned off.
 */
export type Security = TypeOf<typeof security>;

const factorOf = ({ clock, policy }: Deps, factor: TwoFactor | null): Security['twoFactor'] =>
  factor === null
    ? { on: false, recoveryCodesLeft: null, heldUntil: null }
    : {
        on: true,
        recoveryCodesLeft: factor.recovery.length,
        heldUntil: isoTimeOrNull(factorLockedUntil(factor, policy, clock.now()) ?? null),
      };

export const makeShowSecurity =
  (deps: Deps) =>
  async (principal: Principal): Promise<Security> => {
    const account = await findOwnAccount(deps, principal);
    const hasPassword = account.passwordHash !== null;
    const passkeys = deps.passkeys.relyingParty === null ? [] : account.passkeys;
    return {
      hasPassword,
      passwordChangedAt: hasPassword ? isoTimeOrNull(account.passwordAt) : null,
      twoFactor: factorOf(deps, account.twoFactor),
      passkeys: passkeys.map(viewShortPasskey),
      providers: account.oauthAccounts.map(shownIdentity),
    };
  };
