import { checkArguments } from '../check-arguments.ts';
import { makeAdmin } from './admin/admin.ts';
import { makeRunAuditCheck } from './admin/background-audit-check.ts';
import { type ConsoleCalls, consoleArguments, makeConsoleCalls } from './admin/console-calls.ts';
import { makeListUsers, makeUserStats } from './admin/list-and-count-users.ts';
import { makeSetUserEntitlement } from './admin/set-user-entitlement.ts';
import { makeTakeStatistics } from './admin/take-statistics.ts';
import { makeVerifyCounts } from './admin/verify-counts.ts';
import { accountArguments, backgroundArguments, subscriberArguments } from './api/arguments.ts';
import type { Accounts, PasskeySignIn, ProviderSignIn } from './api/index.ts';
import { makePasskeyCalls, passkeyArguments } from './api/passkeys.ts';
import { makeAuthorizeApp } from './app-authorization/authorize-app.ts';
import { makeRedeemAuthorizationCode } from './app-authorization/redeem-code.ts';
import { makeCheckCustomDomains } from './custom-domain/check-custom-domains.ts';
import { makeRemoveCustomDomain } from './custom-domain/remove-custom-domain.ts';
import { makeSetCustomDomain } from './custom-domain/set-custom-domain.ts';
import { makeShowCustomDomain } from './custom-domain/show-custom-domain.ts';
import { makeVerifyCustomDomain } from './custom-domain/verify-custom-domain.ts';
import { makeDeps } from './deps.ts';
import { makeAskEmailChange, makeCancelEmailChange } from './email-change/ask-email-change.ts';
import { makeConfirmEmailChange } from './email-change/confirm-email-change.ts';
import { makeUndoEmailChange } from './email-change/undo-email-change.ts';
import { makeCheckConnection, makeConnect, makeDisconnect } from './entitlements/connect-service.ts';
import {
  makeListEntitlements,
  makeRecountAccess,
  makeSetOwnEntitlement,
} from './entitlements/set-entitlement.ts';
import { makeSubscribers } from './entitlements/subscribers.ts';
import { makeDeliverMail } from './mail/deliver-mail.ts';
import { makeLogAuditHead, makeOpenAudit } from './outbox/audit-chain.ts';
import { makeRelay } from './outbox/relay.ts';
import { makeWarnOfFormerRpId } from './passkeys/warn-of-former-rp-id.ts';
import { makeChangePassword } from './password/change-password.ts';
import { makeConfirmPasswordReset } from './password/confirm-password-reset.ts';
import { makeRequestPasswordReset } from './password/request-password-reset.ts';
import { type AccountsPolicy, defaultAccountsPolicy } from './policy.ts';
import type { AccountsPorts } from './ports.ts';
import {
  makeBeginAvatarUpload,
  makeRemoveAvatar,
  makeSetAvatar,
  makeShowAvatar,
  makeSweepAvatars,
} from './profile/avatar.ts';
import { makeDeleteAccount } from './profile/delete-account.ts';
import { makeShowProfile, makeUpdateProfile } from './profile/profile.ts';
import { makeShowSecurity } from './profile/security-overview.ts';
import { makeProviderCalls, providerArguments } from './providers/provider-calls.ts';
import { makePurgeUnverified } from './registration/purge-unverified.ts';
import { makeRegister } from './registration/register.ts';
import { makeResendVerification, makeVerifyEmail } from './registration/verify-email.ts';
import { makeConfigureTwoFactor } from './second-factor/configure-two-factor.ts';
import { makeRenewRecoveryCodes } from './second-factor/recovery-codes.ts';
import { makeAuthenticate } from './sessions/authenticate.ts';
import { makeAuthenticateCookie } from './sessions/authenticate-cookie.ts';
import { makeIntrospect } from './sessions/introspect.ts';
import { makeIssueAccessToken } from './sessions/issue-access-token.ts';
import {
  makeEndOtherSessions,
  makeEndSession,
  makeListSessions,
  makeSignOut,
} from './sessions/list-and-end.ts';
import { makeRefresh } from './sessions/refresh.ts';
import { makeReauthenticate } from './sign-in/reauthenticate.ts';
import { makeSignIn } from './sign-in/sign-in.ts';
import { makeSweep } from './sweep-expired.ts';

export type { Accounts };

/** Makes the accounts module from ports, and from the numbers in `policy` (the defaults where absent). */
export const createAccounts = (ports: AccountsPorts, policy: Partial<AccountsPolicy> = {}): Accounts => {
  const deps = makeDeps(ports, { ...defaultAccountsPolicy, ...policy });
  const { clock, tokens } = deps;
  const calls: Accounts = {
    open: makeOpenAudit(deps),
    register: makeRegister(deps),
    verifyEmail: makeVerifyEmail(deps),
    resendVerification: makeResendVerification(deps),
    logIn: makeSignIn(deps),
    refresh: makeRefresh(deps),
    reauthenticate: makeReauthenticate(deps),
    requestPasswordReset: makeRequestPasswordReset(deps),
    confirmPasswordReset: makeConfirmPasswordReset(deps),
    authenticate: makeAuthenticate(deps),
    authenticateCookie: makeAuthenticateCookie(deps),
    issueAccessToken: makeIssueAccessToken(deps),
    introspect: makeIntrospect(deps),
    authorizeApp: makeAuthorizeApp(deps),
    redeemAuthorizationCode: makeRedeemAuthorizationCode(deps),
    showProfile: makeShowProfile(deps),
    updateProfile: makeUpdateProfile(deps),
    showSecurity: makeShowSecurity(deps),
    configureTwoFactor: makeConfigureTwoFactor(deps),
    renewRecoveryCodes: makeRenewRecoveryCodes(deps),
    changePassword: makeChangePassword(deps),
    listEntitlements: makeListEntitlements(deps),
    setOwnEntitlement: makeSetOwnEntitlement(deps),
    listUsers: makeListUsers(deps),
    userStats: makeUserStats(deps),
    setUserEntitlement: makeSetUserEntitlement(deps),
    checkConnection: makeCheckConnection(deps),
    connect: makeConnect(deps),
    disconnect: makeDisconnect(deps),
    showAvatar: makeShowAvatar(deps),
    beginAvatarUpload: makeBeginAvatarUpload(deps),
    setAvatar: makeSetAvatar(deps),
    removeAvatar: makeRemoveAvatar(deps),
    showCustomDomain: makeShowCustomDomain(deps),
    setCustomDomain: makeSetCustomDomain(deps),
    removeCustomDomain: makeRemoveCustomDomain(deps),
    verifyCustomDomain: makeVerifyCustomDomain(deps),
    listSessions: makeListSessions(deps),
    endSession: makeEndSession(deps),
    endOtherSessions: makeEndOtherSessions(deps),
    logOut: makeSignOut(deps),
    askEmailChange: makeAskEmailChange(deps),
    confirmEmailChange: makeConfirmEmailChange(deps),
    cancelEmailChange: makeCancelEmailChange(deps),
    undoEmailChange: makeUndoEmailChange(deps),
    deleteAccount: makeDeleteAccount(deps),
    publicKeys: () => tokens.publicKeys(clock.now()),
    subscribers: checkArguments(makeSubscribers(deps), subscriberArguments),
    providers: checkArguments<ProviderSignIn>(makeProviderCalls(deps), providerArguments),
    passkeys: checkArguments<PasskeySignIn>(makePasskeyCalls(deps), passkeyArguments),
    console: checkArguments<ConsoleCalls>(makeConsoleCalls(deps), consoleArguments),
    operate: makeAdmin(deps),
    background: checkArguments(
      {
        relay: makeRelay(deps),
        relayAllButEvents: makeRelay(deps, ['event']),
        deliverMail: makeDeliverMail(deps),
        purgeUnverified: makePurgeUnverified(deps),
        sweep: makeSweep(deps),
        recountAccess: makeRecountAccess(deps),
        recountUsers: async (): Promise<number> => {
          await deps.directory.recount();
          return 0;
        },
        sweepAvatars: makeSweepAvatars(deps),
        warnOfOtherSites: makeWarnOfFormerRpId(deps),
        logAuditHead: makeLogAuditHead(deps),
        takeStatistics: makeTakeStatistics(deps),
        verifyCounts: makeVerifyCounts(deps),
        checkAudit: makeRunAuditCheck(deps),
        checkCustomDomains: makeCheckCustomDomains(deps),
      },
      backgroundArguments,
    ),
  };
  return checkArguments(calls, accountArguments, [
    'showProfile',
    'listEntitlements',
    'checkConnection',
    'beginAvatarUpload',
    'showCustomDomain',
  ]);
};
