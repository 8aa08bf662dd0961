import { makeCalls } from '../../check-arguments.ts';
import { CALL, custom, either, list, object, optional, TEXT } from '../../schema.ts';
import { caller, OPTIONAL_TEXT, who } from '../argument-schemas.ts';
import type { Caller } from '../caller.ts';
import type { CodeMailed } from '../code-mail-limits.ts';
import type { Deps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import {
  type BeginFlowInput,
  type BeginFlowResult,
  beginFlowInput,
  makeBeginFlow,
  makeBeginProof,
  type TicketNavigation,
  type TicketRequest,
  ticketNavigation,
  ticketRequest,
} from '../providers/begin-flow.ts';
import { makeHandleCallback, type ProviderCallback } from '../providers/callback.ts';
import { type ExchangeResult, makeExchange } from '../providers/exchange-code.ts';
import {
  type ConfirmLinkInput,
  confirmLinkInput,
  type LinkResult,
  makeBeginLink,
  makeConfirmLink,
} from '../providers/link-identity.ts';
import { type FlowCode, flowCode } from '../providers/provider-flow.ts';
import {
  makeSignUpByProvider,
  type SignUpByProviderInput,
  signUpByProviderInput,
} from '../providers/sign-up-by-provider.ts';
import { type IdentityName, identityName, makeUnlink } from '../providers/unlink-identity.ts';
import type { ChargeAllowance } from '../throttle-keys.ts';

/** A provider as listed for apps. */
export interface ListedProvider {
  readonly id: string;
  /** The label of its button. */
  readonly name: string;
  /** Whether its callback is a cross-site form post. */
  readonly formPost: boolean;
}

/**
 * Sign-in with external identity providers. A flow is bound to the browser that began it, and to the client that has
 * the verifier. Neither alone can complete it.
 */
export interface ProviderSignIn {
  /** The configured providers, in the order of the settings. */
  list(): readonly ListedProvider[];
  /**
   * Sends a browser to a provider: for a sign-in, or with the `ticket` that a session requested. If the provider is
   * down, the browser returns to the client with `error`. Throws `missing` (`provider_not_found`), `invalid`
   * (`invalid_redirect`, `invalid_challenge`, `invalid_state`) and `unauthenticated` (`invalid_ticket`). A second use
   * of a ticket also ends the flow that its first use began.
   */
  begin(provider: string, input: BeginFlowInput | TicketNavigation): Promise<BeginFlowResult>;
  /**
   * Handles the provider's callback, and sends the browser back to the client with a code that is valid for a minute,
   * or with `error`. No account changes. Throws `missing` (`provider_not_found`) and `invalid` (`flow_lost`) if this
   * browser did not begin the flow.
   */
  answer(
    provider: string,
    callback: ProviderCallback,
    caller: Caller,
  ): Promise<{ readonly location: string }>;
  /**
   * Signs in or signs up with the code from the callback and the client's verifier; spends the code. Throws
   * `unauthenticated` (`invalid_flow`), `forbidden` (`sign_up_closed`) and `conflict` (`account_exists`, with a
   * `linkToken`) if a verified account has the email: a provider's email alone does not open an account.
   */
  exchange(input: FlowCode, caller: Caller): Promise<ExchangeResult>;
  /**
   * Mails a code to a new user whose provider does not vouch for an email. `verifyEmail` accepts the code together with
   * the `signUpToken`. Throws `unauthenticated` (`invalid_flow`), `invalid` (`invalid_email`) and
   * `conflict` (`email_taken`). `charge` is called once the token has been found valid.
   */
  signUp(input: SignUpByProviderInput, caller: Caller, charge?: ChargeAllowance): Promise<CodeMailed>;
  /**
   * A ticket for a flow that adds an identity to the caller's account; valid once, for a minute. Throws `missing`
   * (`provider_not_found`), `invalid` (`invalid_redirect`, `invalid_challenge`, `invalid_state`), `forbidden`
   * (`fresh_authentication_needed`) and `conflict` (`too_many_identities`).
   */
  beginLink(
    who: Principal,
    provider: string,
    input: TicketRequest,
    caller: Caller,
  ): Promise<{ readonly ticket: string }>;
  /**
   * Adds the identity of a flow that this session began, or of an exchange that found an existing account. Throws
   * `unauthenticated` (`invalid_flow`), `forbidden` (`fresh_authentication_needed`, `wrong_account`) and `conflict`
   * (`identity_taken`, `too_many_identities`).
   */
  confirmLink(who: Principal, input: ConfirmLinkInput, caller: Caller): Promise<LinkResult>;
  /**
   * Removes an identity. Throws `forbidden` (`fresh_authentication_needed`), `missing` (`identity_not_found`) and
   * `conflict` (`last_sign_in_method`).
   */
  unlink(who: Principal, name: IdentityName, caller: Caller): Promise<LinkResult>;
  /**
   * A ticket for a flow that reauthenticates the caller: `reauthenticate` takes its code and verifier. Throws
   * `missing` (`provider_not_found`) and `invalid` (`invalid_redirect`, `invalid_challenge`, `invalid_state`).
   */
  beginProof(who: Principal, provider: string, input: TicketRequest): Promise<{ readonly ticket: string }>;
}

const pair = custom('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});
const providerCallback = object({ kept: OPTIONAL_TEXT, parameters: list(pair) });

export const makeProviderCalls = (deps: Deps): ProviderSignIn =>
  makeCalls<Deps, ProviderSignIn>(deps, {
    list: [(deps) => () => deps.providers.list.map(({ id, name, formPost }) => ({ id, name, formPost }))],
    begin: [makeBeginFlow, { provider: TEXT, input: either('ticket', ticketNavigation, beginFlowInput) }],
    answer: [makeHandleCallback, { provider: TEXT, callback: providerCallback, caller }],
    exchange: [makeExchange, { input: flowCode, caller }],
    signUp: [makeSignUpByProvider, { input: signUpByProviderInput, caller, charge: optional(CALL) }],
    beginLink: [makeBeginLink, { who, provider: TEXT, input: ticketRequest, caller }],
    confirmLink: [makeConfirmLink, { who, input: confirmLinkInput, caller }],
    unlink: [makeUnlink, { who, name: identityName, caller }],
    beginProof: [makeBeginProof, { who, provider: TEXT, input: ticketRequest }],
  });
