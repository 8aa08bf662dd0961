import type { OnlyMessage, Success } from '../answer-schemas.ts';
import type { Subscribers } from '../billing/index.ts';
import type { Admin } from './admin/admin.ts';
import type { ConsoleCalls } from './admin/console-calls.ts';
import type { SearchUsersInput, UserList, UserStats } from './admin/list-and-count-users.ts';
import type { SetUserEntitlementInput } from './admin/set-user-entitlement.ts';
import type { AuthorizationCode, AuthorizeAppInput } from './app-authorization/authorize-app.ts';
import type { RedeemAuthorizationCodeInput } from './app-authorization/redeem-code.ts';
import type { Caller } from './caller.ts';
import type { CodeMailed } from './code-mail-limits.ts';
import type {
  CustomDomainView,
  RemoveCustomDomainResult,
  SetCustomDomainInput,
  SetCustomDomainResult,
} from './custom-domain/custom-domain.ts';
import type { VerifyCustomDomainResult } from './custom-domain/verify-custom-domain.ts';
import type { AskEmailChangeInput } from './email-change/ask-email-change.ts';
import type {
  ConfirmEmailChangeInput,
  ConfirmEmailChangeResult,
} from './email-change/confirm-email-change.ts';
import type { UndoEmailChangeInput, UndoEmailChangeResult } from './email-change/undo-email-change.ts';
import type { EntitlementAnswer } from './entitlement.ts';
import type { EntitlementList, SetEntitlementInput } from './entitlements/change-entitlements.ts';
import type { Connection, ServiceInput } from './entitlements/connect-service.ts';
import type { PasskeyAssertion } from './passkeys/check-assertion.ts';
import type { RenamePasskeyInput } from './passkeys/manage-passkeys.ts';
import type { RelyingParty } from './passkeys/passkey.ts';
import type { ListedPasskeys, OnePasskey, RemainingPasskeys } from './passkeys/passkey-view.ts';
import type { BeginPasskeyResult, RegisterPasskeyInput } from './passkeys/register-passkey.ts';
import type { PasskeyRequest } from './passkeys/request-options.ts';
import type { RelatedOrigins } from './passkeys/rp-id.ts';
import type { ChangePasswordInput, ChangePasswordResult } from './password/change-password.ts';
import type { ConfirmPasswordResetInput } from './password/confirm-password-reset.ts';
import type { RequestPasswordResetInput } from './password/request-password-reset.ts';
import type { Principal } from './principal.ts';
import type { Avatar, EndUpload, SetAvatarResult } from './profile/avatar.ts';
import type { DeleteAccountInput } from './profile/delete-account.ts';
import type { ProfileAnswer, UpdateProfileInput } from './profile/profile.ts';
import type { Security } from './profile/security-overview.ts';
import type {
  BeginFlowInput,
  BeginFlowResult,
  TicketNavigation,
  TicketRequest,
} from './providers/begin-flow.ts';
import type { ProviderCallback } from './providers/callback.ts';
import type { ExchangeResult } from './providers/exchange-code.ts';
import type { ConfirmLinkInput, IdentityName, LinkResult } from './providers/link-identity.ts';
import type { FlowCode } from './providers/provider-flow.ts';
import type { SignUpByProviderInput } from './providers/sign-up-by-provider.ts';
import type { RegisterInput } from './registration/register.ts';
import type { ResendVerificationInput, VerifyEmailInput } from './registration/verify-email.ts';
import type {
  ConfigureTwoFactorInput,
  ConfigureTwoFactorResult,
} from './second-factor/configure-two-factor.ts';
import type {
  BeginSecondPasskeyInput,
  ConfigurePasskeyFactorInput,
  ConfigurePasskeyFactorResult,
} from './second-factor/passkey-as-second-factor.ts';
import type { SignInChallenge } from './second-factor/pending-sign-in.ts';
import type { RenewRecoveryCodesInput, RenewRecoveryCodesResult } from './second-factor/recovery-codes.ts';
import type { RequiredStatus } from './sessions/authenticate.ts';
import type { IntrospectInput, Introspection } from './sessions/introspect.ts';
import type { IssueAccessTokenInput, JwkSet, SessionToken } from './sessions/issue-access-token.ts';
import type { SessionList } from './sessions/list-and-end.ts';
import type { SignInResult } from './sessions/open-session.ts';
import type { RefreshInput, RefreshResult } from './sessions/refresh.ts';
import type { ReauthenticateInput, ReauthenticateResult } from './sign-in/reauthenticate.ts';
import type { SignInInput } from './sign-in/sign-in.ts';
import type { ChargeAllowance } from './throttle-keys.ts';

export type { Admin } from './admin/admin.ts';
export type { ConsoleCalls } from './admin/console-calls.ts';

/**
 * The accounts module, as `createAccounts` returns it. A refusal is a `CoreError` with a stable `code`. Beside the errors
 * that a call names, it may throw `invalid` (`invalid_request`) for an argument of a wrong form, `unauthenticated`
 * (`invalid_token`) if the caller's account was deleted or its sessions ended meanwhile, and `unavailable` while a store or
 * the KMS is down or contended; try again later.
 */
export interface Accounts extends SignIn, Sessions, OwnAccount, Entitlements {
  /**
   * Begins the audit log of a new store. For a store with a log, logs an error if the log was signed under a hash key that
   * is not configured. Call it first, at every start.
   */
  open(): Promise<void>;
  /** Sign-in with external identity providers. */
  readonly providers: ProviderSignIn;
  /** Registration, sign-in and management of passkeys. */
  readonly passkeys: PasskeySignIn;
  /** Authentication in the operators' console. */
  readonly console: ConsoleCalls;
  /** The actions of operators, each with its audit row. */
  readonly operate: Admin;
  /** The background jobs, which `start` of the composed product runs. */
  readonly background: AccountsBackground;
}

/** Registration, sign-in, passwords and second factors. */
export interface SignIn {
  /**
   * Creates an account and mails a verification code. A second registration of an unverified email replaces the first
   * registration. Throws `invalid` (`invalid_email`, `invalid_display_name`, `password_too_short` and the other
   * password rules) and `conflict` (`email_taken`). Spec section 4.1.
   */
  register(input: RegisterInput, caller: Caller): Promise<CodeMailed>;
  /**
   * Verifies the email with the mailed code, and signs the user in. Throws `unauthenticated` (`invalid_code` for a
   * wrong or expired code and for an email that is unknown or already verified; `wrong_credentials` for a password
   * other than the newest registration's, or a wrong `signUpToken`; the code stays valid), `invalid` (`invalid_email`,
   * `password_too_long`, `password_not_allowed`), `conflict` (`email_taken`, `identity_taken`) and `throttled`
   * (`verification_held`) after too many wrong attempts.
   */
  verifyEmail(input: VerifyEmailInput, caller: Caller, charge?: ChargeAllowance): Promise<SignInResult>;
  /**
   * Mails a new verification code and invalidates the last code. An unknown email, or an email over its daily
   * allowance, gets the same response and no mail; its last code stays valid. Throws `conflict` (`already_verified`) and
   * `invalid` (`invalid_email`).
   */
  resendVerification(
    input: ResendVerificationInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<OnlyMessage>;
  /**
   * Signs in with email and password. If a second factor is on, the first call returns the status `second_factor_required`
   * with a `pendingToken`; the second call sends this token and a code. `charge` counts the call in the account's allowance
   * before any password is checked. Throws `unauthenticated` (`wrong_credentials`, `email_not_verified`,
   * `invalid_two_factor_code`, `invalid_passkey`), `invalid` (`invalid_email`, `password_required`, `password_too_long`,
   * `password_not_allowed`, `code_required`, `one_factor_only`) and `throttled` (`login_held`, `two_factor_held`).
   */
  logIn(
    input: SignInInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<SignInResult | SignInChallenge>;
  /**
   * Reauthenticates the caller. For `REAUTH_SECONDS` the session may then make calls that need a fresh authentication.
   * Throws `invalid` (`password_required`, `password_too_long`, `password_not_allowed`, `code_required`,
   * `one_factor_only`), `unauthenticated` (`wrong_credentials`, `invalid_two_factor_code`, `invalid_flow`,
   * `invalid_passkey`), `forbidden` (`cookie_needed`) and `throttled` (`login_held`, `two_factor_held`). RFC 9470.
   */
  reauthenticate(who: Principal, input: ReauthenticateInput, caller: Caller): Promise<ReauthenticateResult>;
  /**
   * Mails a code to reset the password. The response is the same for every email, also if no mail is sent: beyond the
   * daily allowance, or if a stranger requests a code while a code is valid that was requested from the owner's own address
   * or by an operator. The previous code then stays valid. Throws `invalid` (`invalid_email`).
   */
  requestPasswordReset(
    input: RequestPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<OnlyMessage>;
  /**
   * Sets a new password with the mailed code. Ends every session and every password lockout, and forgets all known
   * addresses except the caller's. The second factor stays on. Throws `unauthenticated` (`invalid_code`) and `invalid`:
   * `invalid_email`, or a password that breaks a rule.
   */
  confirmPasswordReset(
    input: ConfirmPasswordResetInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<Success>;
  /**
   * Changes or sets the password. Ends the user's other sessions, issues new tokens for the calling session, and
   * forgets all known addresses except the caller's. Throws as `reauthenticate` by password and code does, `forbidden`
   * (`fresh_authentication_needed`) if there was no password, and `invalid` for a password that breaks a rule.
   */
  changePassword(who: Principal, input: ChangePasswordInput, caller: Caller): Promise<ChangePasswordResult>;
  /**
   * Turns two-factor authentication on in two steps, or off. `enable` alone begins and returns the secret with its QR
   * code; `enable` with the code and the secret confirms and returns recovery codes; `enable: false` with a code turns it
   * off. Both the confirmation and the turning off end the user's other sessions. An owner with a passkey and no recovery
   * code left may leave out the code: then a fresh proof turns it off. Throws `invalid` (`invalid_two_factor_code`,
   * `two_factor_not_pending`, `code_required`), `conflict` (`two_factor_on`, `two_factor_off`), `throttled`
   * (`two_factor_held`) and `forbidden` (`fresh_authentication_needed`) without a fresh proof where one is needed. The call that
   * begins also throws the refusals of a password that `reauthenticate` names. RFC 6238.
   */
  configureTwoFactor(
    who: Principal,
    input: ConfigureTwoFactorInput,
    caller: Caller,
  ): Promise<ConfigureTwoFactorResult>;
  /**
   * Creates new recovery codes, invalidates the old codes and notifies the user by mail. An owner with a passkey and no
   * recovery code left may leave out the code: then a fresh proof is needed. Throws `unauthenticated`
   * (`invalid_two_factor_code`), `invalid` (`code_required`), `forbidden` (`fresh_authentication_needed`), `throttled`
   * (`two_factor_held`) and `conflict` (`two_factor_off`).
   */
  renewRecoveryCodes(
    who: Principal,
    input: RenewRecoveryCodesInput,
    caller: Caller,
  ): Promise<RenewRecoveryCodesResult>;
}

/** Tokens, and the sessions behind them. */
export interface Sessions {
  /**
   * Authenticates the caller by an access token, with the current user and session from the store, so that a ban or a
   * sign-out applies at once. Throws `unauthenticated` (`invalid_token`) and, unless `requiredStatus` is `any`,
   * `forbidden` (`account_banned`, `account_disabled`, `operators_only`, `second_factor_required`, `enterprise_only`).
   */
  authenticate(token: string, requiredStatus?: RequiredStatus, caller?: Caller): Promise<Principal>;
  /**
   * Like `authenticate`, by the value of a session cookie. Also throws `unauthenticated` (`cookie_replaced`) for a
   * value that was just replaced: the browser already has the newer cookie, which must not be cleared.
   */
  authenticateCookie(value: string, requiredStatus?: RequiredStatus, caller?: Caller): Promise<Principal>;
  /**
   * Issues an access token for other services to a caller with a cookie; a token for a single service is valid for that
   * service only. Throws `invalid` (`invalid_audience`) for an audience that is not configured, `forbidden`
   * (`cookie_needed`) for a caller with an access token, and `unauthenticated` (`invalid_token`, `cookie_replaced`) if
   * the session is of the console or ended, or a change of the password replaced the cookie meanwhile.
   */
  issueAccessToken(who: Principal, input?: IssueAccessTokenInput): Promise<SessionToken>;
  /** Tells another service whether an access token or a cookie value is valid, and for which user. RFC 7662. */
  introspect(input: IntrospectInput): Promise<Introspection>;
  /**
   * Exchanges a refresh token for a new pair. Of concurrent requests with one token, one succeeds. A token that is used
   * again more than 10 seconds after its first use may be stolen, and ends its session. Throws `unauthenticated`
   * (`invalid_refresh_token`). RFC 9700, section 4.14.2.
   */
  refresh(input: RefreshInput, caller: Caller): Promise<RefreshResult>;
  /**
   * Issues an authorization code for an app of this product: valid once, for a minute, with the app's PKCE verifier.
   * Throws `invalid` (`invalid_return_to`, `invalid_challenge`) and `forbidden` (`account_banned`, `account_disabled`, and
   * `cookie_needed` for any caller but a session of the pages with its cookie).
   */
  authorizeApp(who: Principal, input: AuthorizeAppInput, caller: Caller): Promise<AuthorizationCode>;
  /**
   * Signs an app in with a code of `authorizeApp`. The first use spends the code, and a second use ends the session of the
   * first. The new session inherits the authentication time of the issuing session. Throws `unauthenticated`
   * (`invalid_code`) for every reason, also if the password changed or the issuing session ended meanwhile. RFC 7636.
   */
  redeemAuthorizationCode(input: RedeemAuthorizationCodeInput, caller: Caller): Promise<SignInResult>;
  /** The user's live sessions, the newest first. */
  listSessions(who: Principal): Promise<SessionList>;
  /**
   * Ends one of the user's sessions. Any but the calling session needs a fresh authentication (ASVS 5.0, 7.5.2). Throws
   * `missing` (`session_not_found`), also for another user's session, and `forbidden` (`fresh_authentication_needed`).
   */
  endSession(who: Principal, id: string, caller: Caller): Promise<Success>;
  /** Ends the user's sessions except the calling session. Throws `forbidden` (`fresh_authentication_needed`). */
  endOtherSessions(who: Principal, caller: Caller): Promise<Success>;
  /** Ends the calling session. A repetition changes nothing. */
  logOut(who: Principal, caller: Caller): Promise<Success>;
  /** The JWK set that verifies access tokens. RFC 7517. */
  publicKeys(): Promise<JwkSet>;
}

/** The user's own profile, avatar, custom domain, email and account deletion. */
export interface OwnAccount {
  /** Does not read the store: `who` has all data. */
  showProfile(who: Principal): ProfileAnswer;
  /**
   * Changes the display name or the language of mails. Throws `invalid` (`invalid_display_name`, `invalid_request`).
   */
  updateProfile(who: Principal, input: UpdateProfileInput): Promise<ProfileAnswer>;
  /** The user's sign-in methods: password, second factor, passkeys and identities. */
  showSecurity(who: Principal): Promise<Security>;
  /** The user's avatar: its bytes, or an external address. Throws `missing` (`avatar_not_found`). */
  showAvatar(who: Principal): Promise<Avatar>;
  /**
   * Admits an upload of this size before its body is read, since the whole body is held in memory. Call the result once
   * the bytes are no longer needed. Throws `throttled` (`too_many_uploads`) and `unavailable` (`uploads_full`).
   */
  beginAvatarUpload(who: Pick<Principal, 'user'>, bytes: number): EndUpload;
  /**
   * Sets a JPEG, PNG, WebP or GIF as the new avatar, without its metadata. Throws `refused` (`not_an_image`,
   * `image_too_large`, `image_broken`).
   */
  setAvatar(who: Principal, bytes: Uint8Array, caller: Caller): Promise<SetAvatarResult>;
  /** Removes the avatar. Does nothing without an avatar. */
  removeAvatar(who: Principal, caller: Caller): Promise<OnlyMessage>;
  /** The user's custom domain, and the TXT record that verifies it. Throws `forbidden` (`enterprise_only`). */
  showCustomDomain(who: Principal): CustomDomainView;
  /**
   * Sets the user's custom domain and frees the previous domain. Setting the same domain again changes nothing. Throws
   * `forbidden` (`enterprise_only`), `invalid` (`invalid_domain`, `reserved_domain`), `conflict` (`domain_taken`) and
   * `throttled` (`too_many_domains`).
   */
  setCustomDomain(
    who: Principal,
    input: SetCustomDomainInput,
    caller: Caller,
  ): Promise<SetCustomDomainResult>;
  /** Removes the custom domain in any tier; the domain is free at once. Does nothing without a domain. */
  removeCustomDomain(who: Principal, caller: Caller): Promise<RemoveCustomDomainResult>;
  /**
   * Looks up the TXT record of a domain that is not verified yet. If the record is found, the domain belongs to this user
   * alone. Throws `forbidden` (`enterprise_only`), `missing` (`domain_not_set`), `conflict` (`domain_taken`), `invalid`
   * (`domain_not_verified`) and `unavailable` (`dns_unavailable`).
   */
  verifyCustomDomain(who: Principal, caller: Caller): Promise<VerifyCustomDomainResult>;
  /**
   * Requests a change of the email: mails a code to the new email, and a notice to the old email. The response is the
   * same for an email that another account has. `charge` counts the call in the new email's allowance. Throws `forbidden`
   * (`fresh_authentication_needed`), `invalid` (`invalid_email`), `conflict` (`same_email`) and `throttled`
   * (`email_change_held`) after 5 requests a day, or while 3 changes can be undone.
   */
  askEmailChange(
    who: Principal,
    input: AskEmailChangeInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<CodeMailed>;
  /**
   * Changes the email with the code from the new email, in the session that requested the change. Ends the user's other
   * sessions, and mails to the old email a code that undoes the change within 7 days. Throws `unauthenticated`
   * (`invalid_code`), `conflict` (`email_taken`) and `throttled` (`verification_held`).
   */
  confirmEmailChange(
    who: Principal,
    input: ConfirmEmailChangeInput,
    caller: Caller,
  ): Promise<ConfirmEmailChangeResult>;
  /** Cancels the pending change of the email. Does nothing without a pending change. */
  cancelEmailChange(who: Principal): Promise<Success>;
  /**
   * Undoes a change of the email, with the code that was mailed to the old email, without a sign-in. Ends every
   * session. Removes passwords, second factors, passkeys and identities that were added since the change was requested,
   * and some from the 30 days before (decision 0092). Also undoes a deletion. Returns what it removed. Throws
   * `unauthenticated` (`invalid_code`), `conflict` (`email_taken`), `throttled` (`verification_held`) and `invalid`
   * (`invalid_email`).
   */
  undoEmailChange(input: UndoEmailChangeInput, caller: Caller): Promise<UndoEmailChangeResult>;
  /**
   * Deletes the account. After this write nobody can sign in; the data is deleted right after, or later if a service is
   * down. Throws as `SignIn.reauthenticate` by password and code does, `conflict` (`last_founder`), and `forbidden`
   * (`fresh_authentication_needed`) for an account without a password.
   */
  deleteAccount(who: Principal, input: DeleteAccountInput, caller: Caller): Promise<Success>;
}

/** The entitlements of users, and the calls of `/api/admin`. */
export interface Entitlements {
  /** The user's entitlements, or only the entitlement for a service. Throws `invalid` (`unsupported_service`). */
  listEntitlements(who: Principal, service?: string): EntitlementList;
  /**
   * Creates or changes the user's own entitlement: as a claim, or with full effect if the user is an operator or the
   * request has the internal secret. Throws `invalid` (`unsupported_service`, `unknown_tier`,
   * `invalid_limit`, `invalid_request`, `object_too_large`), `forbidden` (`privileged_field`, `operator_flags_protected`) for
   * fields that this user may not change, `conflict` (`own_account`) for an operator who changes their own role, and `missing`
   * (`user_not_found`) if the account was deleted meanwhile.
   */
  setOwnEntitlement(
    who: Principal,
    input: SetEntitlementInput,
    hasInternalSecret: boolean,
    caller: Caller,
  ): Promise<EntitlementAnswer>;
  /**
   * Sets a user's entitlement as an operator, or with the internal secret (`who` undefined). Throws as
   * `setOwnEntitlement` does (`user_not_found` also if there never was such a user), `invalid` (`invalid_reason`), and
   * `forbidden` (`operators_only`, `second_factor_required`, `account_banned`, `account_disabled`). An operator who
   * changes an operator role needs a fresh authentication (`forbidden`, `fresh_authentication_needed`), and may change
   * neither their own role nor that of the last founder (`conflict`, `own_account`, `last_founder`).
   */
  setUserEntitlement(
    who: Principal | undefined,
    userId: string,
    input: SetUserEntitlementInput,
    caller: Caller,
  ): Promise<EntitlementAnswer>;
  /**
   * Pages through the users, the newest first. Throws `invalid` (`invalid_cursor`, `invalid_email`, `unknown_tier`).
   */
  listUsers(input: SearchUsersInput): Promise<UserList>;
  /** The number of users: all, premium and free. */
  userStats(): Promise<UserStats>;
  /** Whether the user is connected to a service. Throws `invalid` (`unsupported_service`). */
  checkConnection(who: Principal, input: ServiceInput): Connection;
  /** Connects the user to a service. Throws `invalid` (`unsupported_service`), `missing` (`entitlement_not_found`). */
  connect(who: Principal, input: ServiceInput, caller: Caller): Promise<Connection>;
  /** Disconnects the user from a service. Throws as `connect` does. */
  disconnect(who: Principal, input: ServiceInput, caller: Caller): Promise<Connection>;
  /** The accounts as billing sees them, for `createBilling`. */
  readonly subscribers: Subscribers;
}

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

/**
 * The background jobs. Each job may run at any time, in several processes at once, and again after a crash. A returned
 * number counts processed entries; it is 0 if nothing was due, or if the job counts none.
 */
export interface AccountsBackground {
  /** Relays pending entries of accounts (mails, audit rows, events, tasks), and publishes events of ended sessions. */
  relay(page?: number): Promise<number>;
  /** Like `relay`, for a process without event listeners: leaves events to other processes. */
  relayAllButEvents(page?: number): Promise<number>;
  /** Sends the mails that are due, under the lease with this fencing number. */
  deliverMail(fence: number): Promise<number>;
  /** Removes accounts whose email was not verified within `unverifiedLifeMs`. */
  purgeUnverified(limit?: number): Promise<number>;
  /** Removes expired sessions, counts of attempts, and flows. */
  sweep(limit?: number): Promise<number>;
  /** Recomputes the tier in effect after a change of `SELF_ENTITLEMENT`. Lists and counts use it. */
  recountAccess(limit?: number): Promise<number>;
  /** Brings the store's own counts of users up to date. */
  recountUsers(): Promise<number>;
  /** Removes stored avatars that no account names: a crash between storing and recording leaves them behind. */
  sweepAvatars(): Promise<number>;
  /** Warns of passkeys that nobody can use, since they belong to another RP ID. Checks at most `limit` passkeys. */
  warnOfOtherSites(limit?: number): Promise<number>;
  /** Writes the audit log's head to the process log, which reveals a truncated audit log. */
  logAuditHead(): Promise<number>;
  /**
   * Counts the statistics of the day. It yields after each part; run it to its end, with a turn of the event loop after
   * each part, so that requests are served in between.
   */
  takeStatistics(): AsyncGenerator<undefined, void>;
  /**
   * Verifies, once a day, the counts that the store keeps with its writes, corrects them and logs what was wrong. It yields
   * like `takeStatistics`.
   */
  verifyCounts(): AsyncGenerator<undefined, void>;
  /** Runs the check of the audit log that an operator requested. It yields like `takeStatistics`. */
  checkAudit(): AsyncGenerator<undefined, void>;
  /** Checks the TXT records of verified domains, each once a day, and removes claims that no account names. */
  checkCustomDomains(limit?: number): Promise<number>;
}
