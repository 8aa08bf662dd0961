import {
  type CallRows,
  checkArguments,
  completePolicy,
  makeCalls,
  requirePorts,
} from '../check-arguments.ts';
import { withPresentNames } from '../former-port-names.ts';
import {
  BYTES,
  CALL,
  COUNT,
  custom,
  either,
  FLAG,
  list,
  nullable,
  object,
  oneOf,
  optional,
  SIZE,
  TEXT,
  WHOLE,
} from '../schema.ts';
import { makeAdmin } from './admin/admin.ts';
import { makeRunAuditCheck } from './admin/background-audit-check.ts';
import { makeConsoleCalls } from './admin/console-calls.ts';
import {
  makeListUsers,
  makeUserStats,
  makeVerifyCounts,
  searchUsersInput,
} from './admin/list-and-count-users.ts';
import { makeSetUserEntitlement, setUserEntitlementInput } from './admin/set-user-entitlement.ts';
import { makeTakeStatistics } from './admin/take-statistics.ts';
import type {
  Accounts,
  AccountsBackground,
  Entitlements,
  OwnAccount,
  PasskeySignIn,
  ProviderSignIn,
  Sessions,
  SignIn,
} from './api.ts';
import { authorizeAppInput, makeAuthorizeApp } from './app-authorization/authorize-app.ts';
import {
  makeRedeemAuthorizationCode,
  redeemAuthorizationCodeInput,
} from './app-authorization/redeem-code.ts';
import { caller, OPTIONAL_TEXT, ofUser, who } from './argument-schemas.ts';
import {
  makeRemoveCustomDomain,
  makeSetCustomDomain,
  makeShowCustomDomain,
  setCustomDomainInput,
} from './custom-domain/custom-domain.ts';
import { makeCheckCustomDomains, makeVerifyCustomDomain } from './custom-domain/verify-custom-domain.ts';
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
import { signInByPasskeyInput } from './passkeys/check-assertion.ts';
import {
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  renamePasskeyInput,
} from './passkeys/manage-passkeys.ts';
import { makeBeginPasskey, makeRegisterPasskey, registerPasskeyInput } from './passkeys/register-passkey.ts';
import { makeRelatedOrigins, makeWarnOfFormerRpId } from './passkeys/rp-id.ts';
import {
  makeBeginPasskeyProof,
  makeBeginPasskeySignIn,
  makePasskeySignIn,
} from './passkeys/sign-in-by-passkey.ts';
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
import {
  beginFlowInput,
  makeBeginFlow,
  makeBeginProof,
  ticketNavigation,
  ticketRequest,
} from './providers/begin-flow.ts';
import { makeHandleCallback } from './providers/callback.ts';
import { makeExchange } from './providers/exchange-code.ts';
import {
  confirmLinkInput,
  identityName,
  makeBeginLink,
  makeConfirmLink,
  makeUnlink,
} from './providers/link-identity.ts';
import { flowCode } from './providers/provider-flow.ts';
import { makeSignUpByProvider, signUpByProviderInput } from './providers/sign-up-by-provider.ts';
import { makePurgeUnverified, makeRegister, registerInput } from './registration/register.ts';
import {
  makeResendVerification,
  makeVerifyEmail,
  resendVerificationInput,
  verifyEmailInput,
} from './registration/verify-email.ts';
import { configureTwoFactorInput, makeConfigureTwoFactor } from './second-factor/configure-two-factor.ts';
import {
  beginSecondPasskeyInput,
  configurePasskeyFactorInput,
  makeBeginSecondPasskey,
  makeConfigurePasskeyFactor,
} from './second-factor/passkey-as-second-factor.ts';
import { makeRenewRecoveryCodes, renewRecoveryCodesInput } from './second-factor/recovery-codes.ts';
import { makeAuthenticate, makeAuthenticateCookie } from './sessions/authenticate.ts';
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

const charge = optional(CALL);
const requiredStatus = optional(oneOf(['any', 'active', 'operator', 'enterprise']));
const maximum = optional(COUNT);

/** The calls of the account service, with the schemas of their arguments; A call with `throws` returns no promise. */
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
    { who: ofUser, input: setEntitlementInput, hasInternalSecret: FLAG, caller },
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

/** A parameter of a callback: its name and its value. */
const callbackParameter = custom('a pair of texts', (value) => {
  const isPair = Array.isArray(value) && value.length === 2;
  return isPair && value.every((part) => typeof part === 'string');
});
const providerCallback = object({ kept: OPTIONAL_TEXT, parameters: list(callbackParameter) });

/** The calls of `Accounts.providers`. */
const providerCalls: CallRows<Deps, ProviderSignIn> = {
  list: [(deps) => () => deps.providers.list.map(({ id, name, formPost }) => ({ id, name, formPost }))],
  begin: [makeBeginFlow, { provider: TEXT, input: either('ticket', ticketNavigation, beginFlowInput) }],
  answer: [makeHandleCallback, { provider: TEXT, callback: providerCallback, caller }],
  exchange: [makeExchange, { input: flowCode, caller }],
  signUp: [makeSignUpByProvider, { input: signUpByProviderInput, caller, charge }],
  beginLink: [makeBeginLink, { who, provider: TEXT, input: ticketRequest, caller }],
  confirmLink: [makeConfirmLink, { who, input: confirmLinkInput, caller }],
  unlink: [makeUnlink, { who, name: identityName, caller }],
  beginProof: [makeBeginProof, { who, provider: TEXT, input: ticketRequest }],
};

/** The calls of `Accounts.passkeys`. */
const passkeyCalls: CallRows<Deps, PasskeySignIn> = {
  site: [(deps) => () => deps.passkeys.relyingParty],
  relatedOrigins: [makeRelatedOrigins],
  begin: [makeBeginPasskey, { who, caller }],
  register: [makeRegisterPasskey, { who, input: registerPasskeyInput, caller }],
  list: [makeListPasskeys, { who }],
  rename: [makeRenamePasskey, { who, id: TEXT, input: renamePasskeyInput }],
  remove: [makeRemovePasskey, { who, id: TEXT, caller }],
  beginLogin: [makeBeginPasskeySignIn],
  logIn: [makePasskeySignIn, { input: signInByPasskeyInput, caller }],
  beginSecond: [makeBeginSecondPasskey, { input: beginSecondPasskeyInput, caller, charge }],
  beginProof: [makeBeginPasskeyProof, { who }],
  configureFactor: [makeConfigurePasskeyFactor, { who, input: configurePasskeyFactorInput, caller }],
};

/** Removes expired records, at most `limit` of each kind, only to free space: every read checks the expiry. Counts them. */
const makeSweep =
  ({ clock, sessions, attempts, flows }: Pick<Deps, 'clock' | 'sessions' | 'attempts' | 'flows'>) =>
  async (limit = 1_000): Promise<number> => {
    let count = 0;
    for (const store of [sessions, attempts, flows]) count += await store.sweep(clock.now(), limit);
    return count;
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
  warnOfOtherSites: [makeWarnOfFormerRpId, { limit: maximum }],
  logAuditHead: [makeLogAuditHead],
  takeStatistics: [makeTakeStatistics],
  verifyCounts: [makeVerifyCounts],
  checkAudit: [makeRunAuditCheck],
  checkCustomDomains: [makeCheckCustomDomains, { limit: maximum }],
};

/** Makes the accounts module from ports, and from the rules in `policy` (the defaults where absent). */
export const createAccounts = (ports: AccountsPorts, policy: Partial<AccountsPolicy> = {}): Accounts => {
  requirePorts(ports, policy);
  const deps = makeDeps(withPresentNames(ports), completePolicy(defaultAccountsPolicy, policy));
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
    providers: makeCalls(deps, providerCalls),
    passkeys: makeCalls(deps, passkeyCalls),
    console: makeConsoleCalls(deps),
    operate: makeAdmin(deps),
    background: makeCalls(deps, backgroundCalls),
  };
};
