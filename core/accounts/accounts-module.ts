import { type CallRows, checkArguments, makeCalls } from '../check-arguments.ts';
import { BYTES, CALL, COUNT, FLAG, nullable, oneOf, optional, SIZE, TEXT, WHOLE } from '../schema.ts';
import { makeAdmin } from './admin/admin.ts';
import { makeRunAuditCheck } from './admin/background-audit-check.ts';
import { makeConsoleCalls } from './admin/console-calls.ts';
import { makeListUsers, makeUserStats, searchUsersInput } from './admin/list-and-count-users.ts';
import { makeSetUserEntitlement, setUserEntitlementInput } from './admin/set-user-entitlement.ts';
import { makeTakeStatistics } from './admin/take-statistics.ts';
import { makeVerifyCounts } from './admin/verify-counts.ts';
import type {
  Accounts,
  AccountsBackground,
  Entitlements,
  OwnAccount,
  Sessions,
  SignIn,
} from './api/index.ts';
import { makePasskeyCalls } from './api/passkeys.ts';
import { makeProviderCalls } from './api/providers.ts';
import { authorizeAppInput, makeAuthorizeApp } from './app-authorization/authorize-app.ts';
import {
  makeRedeemAuthorizationCode,
  redeemAuthorizationCodeInput,
} from './app-authorization/redeem-code.ts';
import { caller, OPTIONAL_TEXT, ofUser, who } from './argument-schemas.ts';
import { makeCheckCustomDomains } from './custom-domain/check-custom-domains.ts';
import { makeRemoveCustomDomain } from './custom-domain/remove-custom-domain.ts';
import { makeSetCustomDomain, setCustomDomainInput } from './custom-domain/set-custom-domain.ts';
import { makeShowCustomDomain } from './custom-domain/show-custom-domain.ts';
import { makeVerifyCustomDomain } from './custom-domain/verify-custom-domain.ts';
import { type Deps, makeDeps } from './deps.ts';
import {
  askEmailChangeInput,
  makeAskEmailChange,
  makeCancelEmailChange,
} from './email-change/ask-email-change.ts';
import { confirmEmailChangeInput, makeConfirmEmailChange } from './email-change/confirm-email-change.ts';
import { makeUndoEmailChange, undoEmailChangeInput } from './email-change/undo-email-change.ts';
import {
  makeListEntitlements,
  makeRecountAccess,
  makeSetOwnEntitlement,
  setEntitlementInput,
} from './entitlements/change-entitlements.ts';
import {
  makeCheckConnection,
  makeConnect,
  makeDisconnect,
  serviceInput,
} from './entitlements/connect-service.ts';
import { makeSubscribers } from './entitlements/subscribers.ts';
import { makeDeliverMail } from './mail/deliver-mail.ts';
import { makeLogAuditHead, makeOpenAudit } from './outbox/audit-chain.ts';
import { makeRelay } from './outbox/relay.ts';
import { makeWarnOfFormerRpId } from './passkeys/warn-of-former-rp-id.ts';
import { changePasswordInput, makeChangePassword } from './password/change-password.ts';
import { confirmPasswordResetInput, makeConfirmPasswordReset } from './password/confirm-password-reset.ts';
import { makeRequestPasswordReset, requestPasswordResetInput } from './password/request-password-reset.ts';
import { type AccountsPolicy, defaultAccountsPolicy } from './policy.ts';
import type { AccountsPorts } from './ports.ts';
import {
  makeBeginAvatarUpload,
  makeRemoveAvatar,
  makeSetAvatar,
  makeShowAvatar,
  makeSweepAvatars,
} from './profile/avatar.ts';
import { deleteAccountInput, makeDeleteAccount } from './profile/delete-account.ts';
import { makeShowProfile, makeUpdateProfile, updateProfileInput } from './profile/profile.ts';
import { makeShowSecurity } from './profile/security-overview.ts';
import { makePurgeUnverified } from './registration/purge-unverified.ts';
import { makeRegister, registerInput } from './registration/register.ts';
import {
  makeResendVerification,
  makeVerifyEmail,
  resendVerificationInput,
  verifyEmailInput,
} from './registration/verify-email.ts';
import { configureTwoFactorInput, makeConfigureTwoFactor } from './second-factor/configure-two-factor.ts';
import { makeRenewRecoveryCodes, renewRecoveryCodesInput } from './second-factor/recovery-codes.ts';
import { makeAuthenticate } from './sessions/authenticate.ts';
import { makeAuthenticateCookie } from './sessions/authenticate-cookie.ts';
import { introspectInput, makeIntrospect } from './sessions/introspect.ts';
import { issueAccessTokenInput, makeIssueAccessToken } from './sessions/issue-access-token.ts';
import {
  makeEndOtherSessions,
  makeEndSession,
  makeListSessions,
  makeSignOut,
} from './sessions/list-and-end.ts';
import { makeRefresh, refreshInput } from './sessions/refresh.ts';
import { makeReauthenticate, reauthenticateInput } from './sign-in/reauthenticate.ts';
import { makeSignIn, signInInput } from './sign-in/sign-in.ts';
import { makeSweep } from './sweep-expired.ts';

const charge = optional(CALL);
const requiredStatus = optional(oneOf(['any', 'active', 'operator', 'enterprise']));
const maximum = optional(COUNT);

/** The calls of the account service, with the schemas of their arguments; `throws` marks calls that return no promise. */
export const accountCalls: CallRows<
  Deps,
  SignIn & Sessions & OwnAccount & Omit<Entitlements, 'subscribers'>
> = {
  register: [makeRegister, { input: registerInput, caller }],
  verifyEmail: [makeVerifyEmail, { input: verifyEmailInput, caller, charge }],
  resendVerification: [makeResendVerification, { input: resendVerificationInput, caller, charge }],
  logIn: [makeSignIn, { input: signInInput, caller, charge }],
  refresh: [makeRefresh, { input: refreshInput, caller }],
  reauthenticate: [makeReauthenticate, { who, input: reauthenticateInput, caller }],
  requestPasswordReset: [makeRequestPasswordReset, { input: requestPasswordResetInput, caller, charge }],
  confirmPasswordReset: [makeConfirmPasswordReset, { input: confirmPasswordResetInput, caller, charge }],
  authenticate: [makeAuthenticate, { token: TEXT, requiredStatus, caller: optional(caller) }],
  authenticateCookie: [makeAuthenticateCookie, { value: TEXT, requiredStatus, caller: optional(caller) }],
  issueAccessToken: [makeIssueAccessToken, { who, input: optional(issueAccessTokenInput) }],
  introspect: [makeIntrospect, { input: introspectInput }],
  authorizeApp: [makeAuthorizeApp, { who, input: authorizeAppInput, caller }],
  redeemAuthorizationCode: [makeRedeemAuthorizationCode, { input: redeemAuthorizationCodeInput, caller }],
  showProfile: [makeShowProfile, { who: ofUser }, 'throws'],
  updateProfile: [makeUpdateProfile, { who: ofUser, input: updateProfileInput }],
  showSecurity: [makeShowSecurity, { who: ofUser }],
  configureTwoFactor: [makeConfigureTwoFactor, { who, input: configureTwoFactorInput, caller }],
  renewRecoveryCodes: [makeRenewRecoveryCodes, { who, input: renewRecoveryCodesInput, caller }],
  changePassword: [makeChangePassword, { who, input: changePasswordInput, caller }],
  listEntitlements: [makeListEntitlements, { who: ofUser, service: OPTIONAL_TEXT }, 'throws'],
  setOwnEntitlement: [
    makeSetOwnEntitlement,
    { who: ofUser, input: setEntitlementInput, internal: FLAG, caller },
  ],
  listUsers: [makeListUsers, { input: searchUsersInput }],
  userStats: [makeUserStats],
  setUserEntitlement: [
    makeSetUserEntitlement,
    { who: optional(ofUser), userId: TEXT, input: setUserEntitlementInput, caller },
  ],
  checkConnection: [makeCheckConnection, { who: ofUser, input: serviceInput }, 'throws'],
  connect: [makeConnect, { who: ofUser, input: serviceInput, caller }],
  disconnect: [makeDisconnect, { who: ofUser, input: serviceInput, caller }],
  showAvatar: [makeShowAvatar, { who: ofUser }],
  beginAvatarUpload: [makeBeginAvatarUpload, { who: ofUser, bytes: SIZE }, 'throws'],
  setAvatar: [makeSetAvatar, { who: ofUser, bytes: BYTES, caller }],
  removeAvatar: [makeRemoveAvatar, { who: ofUser, caller }],
  showCustomDomain: [makeShowCustomDomain, { who: ofUser }, 'throws'],
  setCustomDomain: [makeSetCustomDomain, { who: ofUser, input: setCustomDomainInput, caller }],
  removeCustomDomain: [makeRemoveCustomDomain, { who: ofUser, caller }],
  verifyCustomDomain: [makeVerifyCustomDomain, { who: ofUser, caller }],
  listSessions: [makeListSessions, { who }],
  endSession: [makeEndSession, { who, id: TEXT, caller }],
  endOtherSessions: [makeEndOtherSessions, { who, caller }],
  logOut: [makeSignOut, { who, caller }],
  askEmailChange: [makeAskEmailChange, { who, input: askEmailChangeInput, caller, charge }],
  confirmEmailChange: [makeConfirmEmailChange, { who, input: confirmEmailChangeInput, caller }],
  cancelEmailChange: [makeCancelEmailChange, { who }],
  undoEmailChange: [makeUndoEmailChange, { input: undoEmailChangeInput, caller }],
  deleteAccount: [makeDeleteAccount, { who, input: deleteAccountInput, caller }],
  publicKeys: [(deps) => () => deps.tokens.publicKeys(deps.clock.now())],
};

/** The background jobs, with the schemas of their arguments. */
const backgroundCalls: CallRows<Deps, AccountsBackground> = {
  relay: [makeRelay, { page: maximum }],
  relayAllButEvents: [(deps) => makeRelay(deps, ['event']), { page: maximum }],
  deliverMail: [makeDeliverMail, { fence: WHOLE }],
  purgeUnverified: [makePurgeUnverified, { limit: maximum }],
  sweep: [makeSweep, { limit: maximum }],
  recountAccess: [makeRecountAccess, { limit: maximum }],
  recountUsers: [
    (deps) => async () => {
      await deps.directory.recount();
      // After any other number the job would run again at once.
      return 0;
    },
  ],
  sweepAvatars: [makeSweepAvatars],
  warnOfOtherSites: [makeWarnOfFormerRpId, { most: maximum }],
  logAuditHead: [makeLogAuditHead],
  takeStatistics: [makeTakeStatistics],
  verifyCounts: [makeVerifyCounts],
  checkAudit: [makeRunAuditCheck],
  checkCustomDomains: [makeCheckCustomDomains, { limit: maximum }],
};

/** Makes the accounts module from ports, and from the rules in `policy` (the defaults where absent). */
export const createAccounts = (ports: AccountsPorts, policy: Partial<AccountsPolicy> = {}): Accounts => {
  const deps = makeDeps(ports, { ...defaultAccountsPolicy, ...policy });
  return {
    open: makeOpenAudit(deps),
    ...makeCalls(deps, accountCalls),
    subscribers: checkArguments(makeSubscribers(deps), {
      find: { userId: TEXT },
      knows: { userId: TEXT },
      change: { userId: TEXT, decide: CALL },
      listDue: { now: WHOLE, limit: COUNT },
      list: { after: nullable(TEXT), limit: COUNT },
    }),
    providers: makeProviderCalls(deps),
    passkeys: makePasskeyCalls(deps),
    console: makeConsoleCalls(deps),
    operate: makeAdmin(deps),
    background: makeCalls(deps, backgroundCalls),
  };
};
