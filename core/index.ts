export type { AccessTokenClaims } from './access-token.ts';
export type * from './accounts/account.ts';
export { completeAccount } from './accounts/account.ts';
export type * from './accounts/api/index.ts';
export type { PasskeyAnswer } from './accounts/ceremonies/check-assertion.ts';
export type { AskedPasskey } from './accounts/ceremonies/options.ts';
export type { SaidOfAct } from './accounts/console/operator.ts';
export type { CustomDomainSet, SetCustomDomain } from './accounts/custom-domain/set-custom-domain.ts';
export type { CustomDomainView, DomainVerification } from './accounts/custom-domain/show.ts';
export type * from './accounts/directory.ts';
export type * from './accounts/domain-record.ts';
export type { AskEmailChange } from './accounts/email-change/ask.ts';
export type { ConfirmEmailChange } from './accounts/email-change/confirm.ts';
export type { UndoEmailChange } from './accounts/email-change/undo.ts';
export type { EntitlementView, OperatorRole, SelfEntitlement } from './accounts/entitlement.ts';
export type { ChooseService, Connection } from './accounts/entitlements/connection.ts';
export type { SetEntitlement } from './accounts/entitlements/entitle.ts';
export type { HandOver, HandoverCode } from './accounts/handover/give.ts';
export type { RedeemHandover } from './accounts/handover/redeem.ts';
export type { Identity, SentCookie, User, UserSession } from './accounts/identity.ts';
export { createAccounts } from './accounts/index.ts';
export type { Language } from './accounts/mail/languages.ts';
export { noMailTexts } from './accounts/mail/mail-texts.ts';
export type { AccountsPorts, Caller } from './accounts/needs.ts';
export type { Acted, Operator } from './accounts/operate/act.ts';
export type { AuditCheck } from './accounts/operate/audit/audit-check.ts';
export type { AuditLine } from './accounts/operate/audit/audit-rows.ts';
export type { AuditFault, BrokenRow } from './accounts/operate/audit/check-audit-row.ts';
export type { ListAudit } from './accounts/operate/audit/list-audit.ts';
export type { AuditPage, ListAuditBack } from './accounts/operate/audit/list-audit-back.ts';
export type { AuditVerdict } from './accounts/operate/audit/verify-audit.ts';
export type { CreateUser } from './accounts/operate/create-user.ts';
export type { Receipt } from './accounts/operate/delete-user.ts';
export type { UserExport } from './accounts/operate/export-user.ts';
export type { Granted, SetTier } from './accounts/operate/grant.ts';
export type { UserImportCounts } from './accounts/operate/import-users.ts';
export {
  type DirectoryFlag,
  type DirectoryPage,
  type DirectoryUser,
  directoryFlags,
  type ListDirectory,
} from './accounts/operate/lists/list-directory.ts';
export type { ListedMail, ListMailsByState, MailPage } from './accounts/operate/mails.ts';
export type { ResealedSecrets } from './accounts/operate/reseal.ts';
export type { Restrict } from './accounts/operate/restrict.ts';
export type { BillingView } from './accounts/operate/show/billing-view.ts';
export type { UserView } from './accounts/operate/show/describe-user.ts';
export type { ShownUser } from './accounts/operate/show/show-user.ts';
export type { AccessWhy } from './accounts/operate/show/why.ts';
export type { ListStatistics } from './accounts/operate/statistics/list-statistics.ts';
export type { SealedKeys } from './accounts/operate/statistics/sealed-keys.ts';
export type { ListUsers, SearchUsers, UserList } from './accounts/operate/users.ts';
export type { Binding, BoundIdentity } from './accounts/operate/ways-in/bind-identities.ts';
export type { ConfigurePasskeyFactor, PasskeyFactorConfigured } from './accounts/passkeys/factor.ts';
export type { RenamePasskey } from './accounts/passkeys/manage.ts';
export type { BeginSecondPasskey } from './accounts/passkeys/prove.ts';
export type { BegunPasskey, RegisterPasskey } from './accounts/passkeys/register.ts';
export type { ListedPasskeys, PasskeyView } from './accounts/passkeys/views.ts';
export type * from './accounts/pending.ts';
export { type AccountsPolicy, defaultAccountsPolicy } from './accounts/policy.ts';
export type * from './accounts/ports.ts';
export type { Avatar } from './accounts/profile/avatar.ts';
export type { DeleteAccount } from './accounts/profile/delete-account.ts';
export type { Profile, UpdateProfile } from './accounts/profile/profile.ts';
export type { Security, ShortPasskey } from './accounts/profile/security.ts';
export type { BroughtAnswer } from './accounts/providers/answer.ts';
export type { BeginTrip, SetOff, SetOut } from './accounts/providers/begin.ts';
export type { EmailRequired, Exchanged } from './accounts/providers/exchange.ts';
export type { ConfirmLink, Linked } from './accounts/providers/link.ts';
export type { SignUpByProvider } from './accounts/providers/sign-up.ts';
export type { IdentityName } from './accounts/providers/unlink.ts';
export type {
  CookieUse,
  Method,
  Proof,
  Rotation,
  Session,
  SessionCookie,
  SessionUse,
  UsedToken,
} from './accounts/session.ts';
export type { Standing } from './accounts/sessions/authenticate.ts';
export type { Kept, NewCookie } from './accounts/sessions/cookie.ts';
export type { Introspect, Introspection } from './accounts/sessions/introspect.ts';
export type { SessionView } from './accounts/sessions/list-and-end.ts';
export type { LoginAnswer } from './accounts/sessions/open-session.ts';
export type { LoginChallenge, SecondFactor } from './accounts/sessions/pending-login.ts';
export type { Refresh } from './accounts/sessions/refresh.ts';
export type { ChangePassword, PasswordChanged } from './accounts/sign-in/change-password.ts';
export type { ConfigureTwoFactor, TwoFactorAnswer } from './accounts/sign-in/configure-two-factor.ts';
export type { ConfirmPasswordReset } from './accounts/sign-in/confirm-password-reset.ts';
export type { LogIn } from './accounts/sign-in/log-in.ts';
export type { Reauthenticate, Reauthenticated } from './accounts/sign-in/reauthenticate.ts';
export type { RenewRecoveryCodes } from './accounts/sign-in/recovery-codes.ts';
export type { Register } from './accounts/sign-in/register.ts';
export type { RequestPasswordReset } from './accounts/sign-in/request-password-reset.ts';
export type { ResendVerification } from './accounts/sign-in/resend-verification.ts';
export type { VerifyEmail } from './accounts/sign-in/verify-email.ts';
export type { TripCode } from './accounts/trips/take.ts';
export type * from './billing/api.ts';
export type { Checkout } from './billing/checkout.ts';
export { createBilling } from './billing/index.ts';
export type { EventPage, EventView, ListEvents } from './billing/list-events.ts';
export type { PlanView } from './billing/list-plans.ts';
export { type BillingPolicy, defaultBillingPolicy } from './billing/policy.ts';
export type * from './billing/ports.ts';
export type { Reconciled } from './billing/reconcile.ts';
export type { SubscriptionView } from './billing/show-subscription.ts';
export type * from './billing/state.ts';
export type * from './billing/subscription.ts';
export type { Price } from './billing/zloty.ts';
export { CoreError, type ErrorFacts, type ErrorKind, invalid, unavailable } from './errors.ts';
export type * from './events.ts';
export type * from './files/api.ts';
export type { Invalidate, Invalidated } from './files/cache/invalidate.ts';
export type { Prefetch } from './files/cache/prefetch.ts';
export type { SyncCache, Synced, SyncType } from './files/cache/sync-cache.ts';
export type { UnwrapKey, WrapKey } from './files/data-key.ts';
export type { CreatedFile, CreateFile, ListedFile, SingleFile } from './files/file-record.ts';
export { createFiles } from './files/index.ts';
export type { FilePage, ListFiles } from './files/list-files.ts';
export { defaultFilesPolicy, type FilesPolicy } from './files/policy.ts';
export type * from './files/ports.ts';
export type { Resealed } from './files/reseal.ts';
export type { Failed } from './files/wrap-many.ts';
export type * from './findings.ts';
export type * from './health.ts';
export type { ImportCounts, ImportOptions } from './import-lines.ts';
export type { CountedKey, KeyLine } from './key-lines.ts';
export type * from './outbox.ts';
export type * from './ports.ts';
export type { CacheReads, CountedDay, DayStatistics, Statistics } from './statistics.ts';
export type * from './webhooks/api.ts';
export { createWebhooks } from './webhooks/index.ts';
export type { ListedDelivery } from './webhooks/listed-delivery.ts';
export { defaultWebhooksPolicy, type WebhooksPolicy } from './webhooks/policy.ts';
export type * from './webhooks/ports.ts';
