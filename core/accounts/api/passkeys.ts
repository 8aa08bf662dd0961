import type { PasskeyAnswer } from '../ceremonies/check-assertion.ts';
import type { AskedPasskey } from '../ceremonies/options.ts';
import type { Admit } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { ConfigurePasskeyFactor, PasskeyFactorConfigured } from '../passkeys/factor.ts';
import type { RenamePasskey } from '../passkeys/manage.ts';
import type { BeginSecondPasskey } from '../passkeys/prove.ts';
import type { BegunPasskey, RegisterPasskey } from '../passkeys/register.ts';
import type { ListedPasskeys, PasskeyView } from '../passkeys/views.ts';
import type { LoginAnswer } from '../sessions/open-session.ts';
import type { RelyingParty } from '../ways-in/passkey.ts';

/**
 * Passkeys (WebAuthn Level 3): to sign in with, to be the second factor, to prove once more who the caller is. A ceremony
 * is begun, answered by the browser, and finished with the `flow` of its beginning, within 5 minutes. Where passkeys are
 * off, all but `site` throw `missing` (`passkeys_off`).
 */
export interface PasskeySignIn {
  /** The site for which passkeys are made; null where they are off. */
  site(): RelyingParty | null;
  /** The origins outside the site that may use its passkeys. Throws `missing` (`not_found`) where there are none. */
  relatedOrigins(): { readonly origins: readonly string[] };
  /** Begins a new passkey. Throws `forbidden` (`fresh_authentication_needed`) and `conflict` (`too_many_passkeys`). */
  begin(who: Identity, caller: Caller): Promise<BegunPasskey>;
  /**
   * Adds the passkey, and tells its owner by mail. Throws `invalid` (`invalid_passkey`, `invalid_name`),
   * `unauthenticated` (`invalid_flow`) and `conflict` (`passkey_taken`, `too_many_passkeys`).
   */
  register(who: Identity, input: RegisterPasskey, caller: Caller): Promise<{ readonly passkey: PasskeyView }>;
  /** The user's passkeys, with what a browser needs to tell its own which of them are good. */
  list(who: Identity): Promise<ListedPasskeys>;
  /** Throws `invalid` (`invalid_name`) and `missing` (`passkey_not_found`). */
  rename(who: Identity, id: string, input: RenamePasskey): Promise<{ readonly passkey: PasskeyView }>;
  /**
   * Removes a passkey, and tells its owner by mail. Throws `forbidden` (`fresh_authentication_needed`), `missing`
   * (`passkey_not_found`) and `conflict` (`last_sign_in_method`, `last_second_factor`).
   */
  remove(who: Identity, id: string, caller: Caller): Promise<{ readonly passkeys: readonly PasskeyView[] }>;
  /** Begins a login with whatever passkey the person has, also as a suggestion in a form (`mediation: "conditional"`). */
  beginLogin(): Promise<AskedPasskey>;
  /**
   * Logs in. The passkey must show that it asked for a PIN or a fingerprint, and no other factor is asked for. Throws
   * `unauthenticated` (`invalid_passkey`), whatever the reason.
   */
  logIn(input: PasskeyAnswer, caller: Caller): Promise<LoginAnswer>;
  /**
   * Begins the second step of a login: its answer goes to `Accounts.logIn` as `passkey`. `admit` counts the call in the
   * account's allowance. Throws `unauthenticated` (`wrong_credentials`) and `conflict` (`no_passkey`).
   */
  beginSecond(input: BeginSecondPasskey, caller: Caller, admit?: Admit): Promise<AskedPasskey>;
  /** Begins a proof: its answer goes to `Accounts.reauthenticate` as `passkey`. Throws `conflict` (`no_passkey`). */
  beginProof(who: Identity): Promise<AskedPasskey>;
  /**
   * Switches passkeys on as the second factor, with recovery codes, or off; each ends the user's other sessions. Throws
   * `forbidden` (`fresh_authentication_needed`) and `conflict` (`two_factor_on`, `two_factor_off`, `no_passkey`).
   */
  configureFactor(
    who: Identity,
    input: ConfigurePasskeyFactor,
    caller: Caller,
  ): Promise<PasskeyFactorConfigured>;
}
