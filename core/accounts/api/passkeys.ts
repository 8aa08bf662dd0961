import { makeCalls } from '../../check-arguments.ts';
import { CALL, optional, TEXT } from '../../schema.ts';
import { caller, who } from '../argument-schemas.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { type PasskeyAssertion, signInByPasskeyInput } from '../passkeys/check-assertion.ts';
import { type BeginPasskeyResult, makeBeginPasskey } from '../passkeys/creation-options.ts';
import {
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  type RenamePasskeyInput,
  renamePasskeyInput,
} from '../passkeys/manage-passkeys.ts';
import type { RelyingParty } from '../passkeys/passkey.ts';
import type { ListedPasskeys, OnePasskey, RemainingPasskeys } from '../passkeys/passkey-view.ts';
import {
  makeRegisterPasskey,
  type RegisterPasskeyInput,
  registerPasskeyInput,
} from '../passkeys/register-passkey.ts';
import { makeRelatedOrigins, type RelatedOrigins } from '../passkeys/related-origins.ts';
import type { PasskeyRequest } from '../passkeys/request-options.ts';
import { makeBeginPasskeySignIn, makePasskeySignIn } from '../passkeys/sign-in-by-passkey.ts';
import type { Principal } from '../principal.ts';
import {
  type ConfigurePasskeyFactorInput,
  type ConfigurePasskeyFactorResult,
  configurePasskeyFactorInput,
  makeConfigurePasskeyFactor,
} from '../second-factor/passkey-as-second-factor.ts';
import {
  type BeginSecondPasskeyInput,
  beginSecondPasskeyInput,
  makeBeginPasskeyProof,
  makeBeginSecondPasskey,
} from '../second-factor/passkey-challenge.ts';
import type { SignInResult } from '../sessions/open-session.ts';
import type { ChargeAllowance } from '../throttle-keys.ts';

/**
 * Passkeys (WebAuthn Level 3) for sign-in, as the second factor, and for reauthentication. A ceremony is begun,
 * answered by the browser, and finished with the `flow` from its begin call, within 5 minutes. If passkeys are off,
 * every call except `site` throws `missing` (`passkeys_off`).
 */
export interface PasskeySignIn {
  /** The relying party of the passkeys; null if passkeys are off. */
  site(): RelyingParty | null;
  /** The origins outside the site that may use its passkeys. Throws `missing` (`not_found`) if there are none. */
  relatedOrigins(): RelatedOrigins;
  /** Begins a new passkey. Throws `forbidden` (`fresh_authentication_needed`) and `conflict` (`too_many_passkeys`). */
  begin(who: Principal, caller: Caller): Promise<BeginPasskeyResult>;
  /**
   * Adds the passkey, and notifies its owner by mail. Throws `invalid` (`invalid_passkey`, `invalid_name`),
   * `unauthenticated` (`invalid_flow`) and `conflict` (`passkey_taken`, `too_many_passkeys`).
   */
  register(who: Principal, input: RegisterPasskeyInput, caller: Caller): Promise<OnePasskey>;
  /** The user's passkeys, with the data for a browser to signal valid passkeys to its credential manager. */
  list(who: Principal): Promise<ListedPasskeys>;
  /** Throws `invalid` (`invalid_name`) and `missing` (`passkey_not_found`). */
  rename(who: Principal, id: string, input: RenamePasskeyInput): Promise<OnePasskey>;
  /**
   * Removes a passkey, and notifies its owner by mail. Throws `forbidden` (`fresh_authentication_needed`), `missing`
   * (`passkey_not_found`) and `conflict` (`last_sign_in_method`, `last_second_factor`).
   */
  remove(who: Principal, id: string, caller: Caller): Promise<RemainingPasskeys>;
  /** Begins a sign-in with any passkey of the person, also as a suggestion in a form (`mediation: "conditional"`). */
  beginLogin(): Promise<PasskeyRequest>;
  /**
   * Signs in. The passkey must prove user verification (a PIN or a fingerprint); no other factor is needed. Throws
   * `unauthenticated` (`invalid_passkey`) for every reason.
   */
  logIn(input: PasskeyAssertion, caller: Caller): Promise<SignInResult>;
  /**
   * Begins the second step of a sign-in: its response goes to `Accounts.logIn` as `passkey`. `charge` counts the call in
   * the account's allowance. Throws `invalid` (`invalid_email`), `unauthenticated` (`wrong_credentials`) and `conflict`
   * (`no_passkey`).
   */
  beginSecond(
    input: BeginSecondPasskeyInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<PasskeyRequest>;
  /**
   * Begins a reauthentication: its response goes to `Accounts.reauthenticate` as `passkey`. Throws `conflict`
   * (`no_passkey`).
   */
  beginProof(who: Principal): Promise<PasskeyRequest>;
  /**
   * Turns passkeys on as the second factor, with recovery codes, or off. Ends the user's other sessions, unless an
   * authenticator app remains the factor. Throws `forbidden` (`fresh_authentication_needed`) and `conflict`
   * (`two_factor_on`, `two_factor_off`, `no_passkey`).
   */
  configureFactor(
    who: Principal,
    input: ConfigurePasskeyFactorInput,
    caller: Caller,
  ): Promise<ConfigurePasskeyFactorResult>;
}

export const makePasskeyCalls = (deps: Deps): PasskeySignIn =>
  makeCalls<Deps, PasskeySignIn>(deps, {
    site: [(deps) => () => deps.passkeys.relyingParty],
    relatedOrigins: [makeRelatedOrigins],
    begin: [makeBeginPasskey, { who, caller }],
    register: [makeRegisterPasskey, { who, input: registerPasskeyInput, caller }],
    list: [makeListPasskeys, { who }],
    rename: [makeRenamePasskey, { who, id: TEXT, input: renamePasskeyInput }],
    remove: [makeRemovePasskey, { who, id: TEXT, caller }],
    beginLogin: [makeBeginPasskeySignIn],
    logIn: [makePasskeySignIn, { input: signInByPasskeyInput, caller }],
    beginSecond: [makeBeginSecondPasskey, { input: beginSecondPasskeyInput, caller, charge: optional(CALL) }],
    beginProof: [makeBeginPasskeyProof, { who }],
    configureFactor: [makeConfigurePasskeyFactor, { who, input: configurePasskeyFactorInput, caller }],
  });
