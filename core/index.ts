export type { AccessTokenClaims } from './access-token.ts';
export type * from './accounts/account.ts';
export { completeAccount } from './accounts/account.ts';
export { createAccounts } from './accounts/accounts-module.ts';
export type { AdminActionInput, AdminActionResult, Operator } from './accounts/admin/admin-action.ts';
export type { AuditCheck } from './accounts/admin/background-audit-check.ts';
export type { BoundIdentity, IdentityBinding } from './accounts/admin/bind-identities.ts';
export type { CreateUserInput } from './accounts/admin/create-user.ts';
export type { Receipt } from './accounts/admin/delete-user.ts';
export type { UserExport } from './accounts/admin/export-user.ts';
export type { UserImportCounts, UserImportOptions } from './accounts/admin/import-users.ts';
export type { ListUsersInput, SearchUsersInput, UserList } from './accounts/admin/list-and-count-users.ts';
export type { ListedMail, ListMailsByStateInput, MailPage } from './accounts/admin/list-and-retry-mails.ts';
export type {
  AuditLine,
  AuditPage,
  ListAuditBackInput,
  ListAuditInput,
} from './accounts/admin/list-audit.ts';
export {
  type DirectoryFlag,
  type DirectoryPage,
  type DirectoryUser,
  directoryFlags,
  type ListDirectoryInput,
} from './accounts/admin/list-directory.ts';
export type { ResealedSecrets, SealedKeys } from './accounts/admin/reseal-secrets.ts';
export type { RestrictInput } from './accounts/admin/restrict-user.ts';
export type { SetUserEntitlementInput } from './accounts/admin/set-user-entitlement.ts';
export type { AccessWhy, ShownUser } from './accounts/admin/show-user.ts';
export type { ListStatisticsInput } from './accounts/admin/take-statistics.ts';
export type { SetTierInput, SetTierResult } from './accounts/admin/tier-and-role.ts';
export type { BillingView, UserView } from './accounts/admin/user-view.ts';
export type { AuditFault, AuditVerdict, BrokenRow } from './accounts/admin/verify-audit.ts';
export type * from './accounts/api.ts';
export type { AuthorizationCode, AuthorizeAppInput } from './accounts/app-authorization/authorize-app.ts';
export type { RedeemAuthorizationCodeInput } from './accounts/app-authorization/redeem-code.ts';
export type { Caller } from './accounts/caller.ts';
export type { CodeMailed } from './accounts/code-mail-limits.ts';
export type {
  CustomDomainView,
  DomainVerification,
  RemoveCustomDomainResult,
  SetCustomDomainInput,
  SetCustomDomainResult,
} from './accounts/custom-domain/custom-domain.ts';
export type * from './accounts/custom-domain/domain-record.ts';
export type { VerifyCustomDomainResult } from './accounts/custom-domain/verify-custom-domain.ts';
export type * from './accounts/directory.ts';
export type { AskEmailChangeInput } from './accounts/email-change/ask-email-change.ts';
export type {
  ConfirmEmailChangeInput,
  ConfirmEmailChangeResult,
} from './accounts/email-change/confirm-email-change.ts';
export type {
  RemovedByUndo,
  UndoEmailChangeInput,
  UndoEmailChangeResult,
} from './accounts/email-change/undo-email-change.ts';
export type {
  EntitlementAnswer,
  EntitlementView,
  OperatorRole,
  SelfEntitlement,
} from './accounts/entitlement.ts';
export type { EntitlementList, SetEntitlementInput } from './accounts/entitlements/change-entitlements.ts';
export type { Connection, ServiceInput } from './accounts/entitlements/connect-service.ts';
export type { Language } from './accounts/mail/languages.ts';
export { noMailTexts } from './accounts/mail/mail-texts.ts';
export type * from './accounts/outbox-entries.ts';
export type { PasskeyAssertion } from './accounts/passkeys/check-assertion.ts';
export type { RenamePasskeyInput } from './accounts/passkeys/manage-passkeys.ts';
export type {
  ListedPasskeys,
  OnePasskey,
  PasskeyView,
  RemainingPasskeys,
  ShortPasskey,
} from './accounts/passkeys/passkey-view.ts';
export type { BeginPasskeyResult, RegisterPasskeyInput } from './accounts/passkeys/register-passkey.ts';
export type { PasskeyRequest } from './accounts/passkeys/request-options.ts';
export type { RelatedOrigins } from './accounts/passkeys/rp-id.ts';
export type { ChangePasswordInput, ChangePasswordResult } from './accounts/password/change-password.ts';
export type { ConfirmPasswordResetInput } from './accounts/password/confirm-password-reset.ts';
export type { RequestPasswordResetInput } from './accounts/password/request-password-reset.ts';
export { type AccountsPolicy, defaultAccountsPolicy } from './accounts/policy.ts';
export type * from './accounts/ports.ts';
/** Names of earlier releases, kept until 1.0, here and in each `X as Y` below. */
export type {
  AttemptsStore as TriesStore,
  LoginKeyClaim as NamedKey,
  SessionCache as Presences,
} from './accounts/ports.ts';
export type {
  Principal,
  Principal as Identity,
  SentCookie,
  User,
  UserSession,
} from './accounts/principal.ts';
export type { Avatar, SetAvatarResult } from './accounts/profile/avatar.ts';
export type { DeleteAccountInput } from './accounts/profile/delete-account.ts';
export type { Profile, ProfileAnswer, UpdateProfileInput } from './accounts/profile/profile.ts';
export type { Security } from './accounts/profile/security-overview.ts';
export type {
  BeginFlowInput,
  BeginFlowResult,
  FlowRequest,
  TicketNavigation,
  TicketRequest,
} from './accounts/providers/begin-flow.ts';
export type { ProviderCallback } from './accounts/providers/callback.ts';
export type { ExchangeResult } from './accounts/providers/exchange-code.ts';
export type { ConfirmLinkInput, IdentityName, LinkResult } from './accounts/providers/link-identity.ts';
export type { FlowCode } from './accounts/providers/provider-flow.ts';
export type { EmailRequired, SignUpByProviderInput } from './accounts/providers/sign-up-by-provider.ts';
export type { RegisterInput } from './accounts/registration/register.ts';
export type { ResendVerificationInput, VerifyEmailInput } from './accounts/registration/verify-email.ts';
export type {
  ConfigureTwoFactorInput,
  ConfigureTwoFactorResult,
} from './accounts/second-factor/configure-two-factor.ts';
export type {
  BeginSecondPasskeyInput,
  ConfigurePasskeyFactorInput,
  ConfigurePasskeyFactorResult,
} from './accounts/second-factor/passkey-as-second-factor.ts';
export type { SignInChallenge } from './accounts/second-factor/pending-sign-in.ts';
export type {
  RenewRecoveryCodesInput,
  RenewRecoveryCodesResult,
} from './accounts/second-factor/recovery-codes.ts';
export type {
  Method,
  Proof,
  Session,
  SessionCookie,
  SessionUse,
  UsedToken,
} from './accounts/session.ts';
export type { RequiredStatus } from './accounts/sessions/authenticate.ts';
export type { IntrospectInput, Introspection } from './accounts/sessions/introspect.ts';
export type { IssueAccessTokenInput, JwkSet, SessionToken } from './accounts/sessions/issue-access-token.ts';
export type { SessionList, SessionView } from './accounts/sessions/list-and-end.ts';
export type { SignInResult } from './accounts/sessions/open-session.ts';
export type { RefreshInput, Rotation } from './accounts/sessions/refresh.ts';
export type { CookieUse } from './accounts/sessions/session-cookie.ts';
export type { NewCookie, SessionTokens } from './accounts/sessions/session-secret.ts';
export type { ReauthenticateInput, ReauthenticateResult } from './accounts/sign-in/reauthenticate.ts';
export type { SignInInput } from './accounts/sign-in/sign-in.ts';
export type { SecondFactor } from './accounts/sign-in-methods.ts';
export type { OnlyMessage, Success } from './answer-schemas.ts';
export type { Backlog } from './backlog.ts';
export type * from './billing/api.ts';
export { createBilling } from './billing/billing-module.ts';
export type { CheckoutInput, ProviderPage } from './billing/checkout.ts';
export type * from './billing/event-order.ts';
export type * from './billing/fold-events.ts';
export type { EventPage, EventView, ListEventsInput } from './billing/list-events.ts';
export type { PlanView } from './billing/list-plans.ts';
export { type BillingPolicy, defaultBillingPolicy } from './billing/policy.ts';
export type * from './billing/ports.ts';
export type {
  EventRecord as KeptEvent,
  EventState as EventStanding,
  RatesRecord as KeptRates,
} from './billing/ports.ts';
export type { Price } from './billing/price-in-zloty.ts';
export type { ReconcileResult } from './billing/reconcile.ts';
export type { SubscriptionView } from './billing/show-subscription.ts';
export type * from './billing/subscription.ts';
export type { CacheReads, CountedDay, DayStatistics, Statistics } from './daily-statistics.ts';
export type { ErrorCode } from './error-codes.ts';
export { CoreError, type ErrorFacts, type ErrorKind, invalid, UnusableKey, unavailable } from './errors.ts';
export type * from './events.ts';
export type * from './files/api.ts';
export type { UnwrapKeyInput, WrapKeyInput } from './files/data-key.ts';
export type { FailedItem } from './files/data-key-batch.ts';
export type { CreateFileInput, CreateFileResult, ListedFile, SingleFile } from './files/file-record.ts';
export { createFiles } from './files/files-module.ts';
export type { FilePage, ListFilesInput } from './files/list-files.ts';
export type {
  InvalidateInput,
  InvalidateResult,
  PrefetchInput,
  SyncCacheInput,
  SyncCacheResult,
  SyncType,
} from './files/manage-cache.ts';
export { defaultFilesPolicy, type FilesPolicy } from './files/policy.ts';
export type * from './files/ports.ts';
export type { CacheGeneration as CacheEpoch } from './files/ports.ts';
export type { ResealResult } from './files/reseal.ts';
export type { ImportCounts, ImportOptions } from './import-lines.ts';
export type * from './installation-health.ts';
export type { CountedKey, KeyLine } from './key-status.ts';
export type * from './key-value-store.ts';
export type { KeyValueStore as Findings } from './key-value-store.ts';
export type * from './outbox.ts';
export type { OutboxItem as Waiting } from './outbox.ts';
export type * from './ports.ts';
export type { LeaseStatus as LeaseStanding } from './ports.ts';
export type * from './webhooks/api.ts';
export { defaultWebhooksPolicy, type WebhooksPolicy } from './webhooks/policy.ts';
export type * from './webhooks/ports.ts';
export type { DeliverySelection as WhichDeliveries } from './webhooks/ports.ts';
export { createWebhooks } from './webhooks/webhooks-module.ts';
