import type { Admit } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { BroughtAnswer } from '../providers/answer.ts';
import type { BeginTrip, SetOff, SetOut } from '../providers/begin.ts';
import type { Exchanged } from '../providers/exchange.ts';
import type { ConfirmLink, Linked } from '../providers/link.ts';
import type { SignUpByProvider } from '../providers/sign-up.ts';
import type { IdentityName } from '../providers/unlink.ts';
import type { TripCode } from '../trips/take.ts';

/** A provider as apps show it. */
export interface ListedProvider {
  readonly id: string;
  /** What its button says. */
  readonly name: string;
  /** Whether its answer comes as a form of its own site. */
  readonly formPost: boolean;
}

/**
 * Sign-in with accounts that people have elsewhere. A trip to a provider has two halves: the browser that began it, and
 * the client that began it with a verifier. Neither alone gets anything.
 */
export interface ProviderSignIn {
  /** The providers that the settings name, in their order. */
  list(): readonly ListedProvider[];
  /**
   * Sends a browser to a provider: for a login, or with the `ticket` that a session asked for. Where the provider is
   * down, it goes back to the client with `error`. Throws `missing` (`provider_not_found`), `invalid`
   * (`invalid_redirect`, `invalid_challenge`, `invalid_state`) and `unauthenticated` (`invalid_ticket`).
   */
  begin(provider: string, input: BeginTrip | { readonly ticket: string }): Promise<SetOff>;
  /**
   * Takes the provider's answer from the browser, and sends it back to the client with a code that is good for a minute,
   * or with `error`. No account changes. Throws `missing` (`provider_not_found`) and `invalid` (`flow_lost`) where this
   * browser has not begun the trip.
   */
  answer(provider: string, brought: BroughtAnswer, caller: Caller): Promise<{ readonly location: string }>;
  /**
   * Logs in, or signs up, by the code that came back to the client and its verifier; the code is spent by it. Throws
   * `unauthenticated` (`invalid_flow`), `forbidden` (`sign_up_closed`) and `conflict` (`account_exists`, with a
   * `linkToken`) where a verified account has the email: no email of a provider opens an account.
   */
  exchange(input: TripCode, caller: Caller): Promise<Exchanged>;
  /**
   * Mails a code to the email of who signs up with an identity whose provider vouches for none. `verifyEmail` takes it
   * together with the `signUpToken`. Throws `unauthenticated` (`invalid_flow`), `invalid` (`invalid_email`) and
   * `conflict` (`email_taken`). `admit` is called once the token is found to be good.
   */
  signUp(
    input: SignUpByProvider,
    caller: Caller,
    admit?: Admit,
  ): Promise<{ readonly message: string; readonly email: string }>;
  /**
   * A ticket for a trip that adds an identity to the caller's account; good once, within a minute. Throws `missing`
   * (`provider_not_found`), `invalid` (`invalid_redirect`, `invalid_challenge`, `invalid_state`), `forbidden`
   * (`fresh_authentication_needed`) and `conflict` (`too_many_identities`).
   */
  beginLink(
    who: Identity,
    provider: string,
    input: SetOut,
    caller: Caller,
  ): Promise<{ readonly ticket: string }>;
  /**
   * Adds the identity of a trip that this session began, or of an exchange that found the account to exist. Throws
   * `unauthenticated` (`invalid_flow`), `forbidden` (`fresh_authentication_needed`, `wrong_account`) and `conflict`
   * (`identity_taken`, `too_many_identities`).
   */
  confirmLink(who: Identity, input: ConfirmLink, caller: Caller): Promise<Linked>;
  /**
   * Removes an identity. Throws `forbidden` (`fresh_authentication_needed`), `missing` (`identity_not_found`) and
   * `conflict` (`last_sign_in_method`).
   */
  unlink(who: Identity, name: IdentityName, caller: Caller): Promise<Linked>;
  /**
   * A ticket for a trip that proves once more who the caller is: `reauthenticate` takes its code and verifier. Throws
   * `missing` (`provider_not_found`) and `invalid` (`invalid_redirect`, `invalid_challenge`, `invalid_state`).
   */
  beginProof(who: Identity, provider: string, input: SetOut): Promise<{ readonly ticket: string }>;
}
