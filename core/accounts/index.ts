import { checkArguments } from '../arguments.ts';
import { makeBeginAudit, makeLogAuditHead } from './aftermath/audit.ts';
import { makeRelay } from './aftermath/relay.ts';
import { accountArguments, backgroundArguments, subscriberArguments } from './api/arguments.ts';
import type { Accounts, PasskeySignIn, ProviderSignIn } from './api/index.ts';
import { type ConsoleCalls, consoleArguments, makeConsoleCalls } from './console/index.ts';
import { makeCheckCustomDomains } from './custom-domain/check-daily.ts';
import { makeRemoveCustomDomain } from './custom-domain/remove-custom-domain.ts';
import { makeSetCustomDomain } from './custom-domain/set-custom-domain.ts';
import { makeShowCustomDomain } from './custom-domain/show.ts';
import { makeVerifyCustomDomain } from './custom-domain/verify-custom-domain.ts';
import { makeAskEmailChange, makeCancelEmailChange } from './email-change/ask.ts';
import { makeConfirmEmailChange } from './email-change/confirm.ts';
import { makeUndoEmailChange } from './email-change/undo.ts';
import { makeCheckConnection, makeConnect, makeDisconnect } from './entitlements/connection.ts';
import { makeListEntitlements } from './entitlements/entitle.ts';
import { makeRecountAccess } from './entitlements/recount.ts';
import { makeSetOwnEntitlement } from './entitlements/set-own-entitlement.ts';
import { makeSubscribers } from './entitlements/subscribers.ts';
import { makeAllowanceKey, makeAllowanceKeyAt } from './guess-keys.ts';
import { makeHandOver } from './handover/give.ts';
import { makeRedeemHandover } from './handover/redeem.ts';
import { makeKit } from './kit.ts';
import { makeDeliverMail } from './mail/deliver-mail.ts';
import type { AccountsPorts } from './needs.ts';
import { makeRunAuditCheck } from './operate/audit/audit-check.ts';
import { makeOperate } from './operate/index.ts';
import { makeTakeStatistics } from './operate/statistics/take-statistics.ts';
import { makeListUsers, makeSetUserEntitlement, makeUserStats } from './operate/users.ts';
import { makePasskeyCalls, passkeyArguments } from './passkeys/index.ts';
import { makeWarnOfOtherSites } from './passkeys/of-other-sites.ts';
import { type AccountsPolicy, defaultAccountsPolicy } from './policy.ts';
import { makeRemoveAvatar, makeSetAvatar, makeShowAvatar, makeSweepAvatars } from './profile/avatar.ts';
import { makeBeginAvatarUpload } from './profile/avatar-uploads.ts';
import { makeDeleteAccount } from './profile/delete-account.ts';
import { makeShowProfile, makeUpdateProfile } from './profile/profile.ts';
import { makeShowSecurity } from './profile/security.ts';
import { providerArguments } from './providers/arguments.ts';
import { makeProviderCalls } from './providers/index.ts';
import { makeAuthenticate } from './sessions/authenticate.ts';
import { makeAuthenticateCookie } from './sessions/authenticate-cookie.ts';
import { makeIntrospect } from './sessions/introspect.ts';
import { makeIssueAccessToken } from './sessions/issue-access-token.ts';
import {
  makeEndOtherSessions,
  makeEndSession,
  makeListSessions,
  makeLogOut,
} from './sessions/list-and-end.ts';
import { makeRefresh } from './sessions/refresh.ts';
import { makeChangePassword } from './sign-in/change-password.ts';
import { makeConfigureTwoFactor } from './sign-in/configure-two-factor.ts';
import { makeConfirmPasswordReset } from './sign-in/confirm-password-reset.ts';
import { makeLogIn } from './sign-in/log-in.ts';
import { makeReauthenticate } from './sign-in/reauthenticate.ts';
import { makeRenewRecoveryCodes } from './sign-in/recovery-codes.ts';
import { makeRegister } from './sign-in/register.ts';
import { makeRequestPasswordReset } from './sign-in/request-password-reset.ts';
import { makeResendVerification } from './sign-in/resend-verification.ts';
import { makePurgeUnverified, makeSweep } from './sign-in/tidy.ts';
import { makeVerifyEmail } from './sign-in/verify-email.ts';

export type { Accounts };

/** Makes the account half of the product from ports, and from the numbers in `policy` (the defaults where absent). */
export const createAccounts = (ports: AccountsPorts, policy: Partial<AccountsPolicy> = {}): Accounts => {
  const kit = makeKit(ports, { ...defaultAccountsPolicy, ...policy });
  const { clock, tokens } = kit;
  const calls: Accounts = {
    begin: makeBeginAudit(kit),
    register: makeRegister(kit),
    verifyEmail: makeVerifyEmail(kit),
    resendVerification: makeResendVerification(kit),
    logIn: makeLogIn(kit),
    refresh: makeRefresh(kit),
    reauthenticate: makeReauthenticate(kit),
    requestPasswordReset: makeRequestPasswordReset(kit),
    confirmPasswordReset: makeConfirmPasswordReset(kit),
    authenticate: makeAuthenticate(kit),
    authenticateCookie: makeAuthenticateCookie(kit),
    issueAccessToken: makeIssueAccessToken(kit),
    introspect: makeIntrospect(kit),
    handOver: makeHandOver(kit),
    redeemHandover: makeRedeemHandover(kit),
    showProfile: makeShowProfile(kit),
    updateProfile: makeUpdateProfile(kit),
    showSecurity: makeShowSecurity(kit),
    configureTwoFactor: makeConfigureTwoFactor(kit),
    renewRecoveryCodes: makeRenewRecoveryCodes(kit),
    changePassword: makeChangePassword(kit),
    listEntitlements: makeListEntitlements(kit),
    setOwnEntitlement: makeSetOwnEntitlement(kit),
    listUsers: makeListUsers(kit),
    userStats: makeUserStats(kit),
    setUserEntitlement: makeSetUserEntitlement(kit),
    checkConnection: makeCheckConnection(kit),
    connect: makeConnect(kit),
    disconnect: makeDisconnect(kit),
    showAvatar: makeShowAvatar(kit),
    beginAvatarUpload: makeBeginAvatarUpload(kit),
    setAvatar: makeSetAvatar(kit),
    removeAvatar: makeRemoveAvatar(kit),
    showCustomDomain: makeShowCustomDomain(kit),
    setCustomDomain: makeSetCustomDomain(kit),
    removeCustomDomain: makeRemoveCustomDomain(kit),
    verifyCustomDomain: makeVerifyCustomDomain(kit),
    listSessions: makeListSessions(kit),
    endSession: makeEndSession(kit),
    endOtherSessions: makeEndOtherSessions(kit),
    logOut: makeLogOut(kit),
    askEmailChange: makeAskEmailChange(kit),
    confirmEmailChange: makeConfirmEmailChange(kit),
    cancelEmailChange: makeCancelEmailChange(kit),
    undoEmailChange: makeUndoEmailChange(kit),
    deleteAccount: makeDeleteAccount(kit),
    publicKeys: () => tokens.publicKeys(clock.now()),
    allowanceKey: makeAllowanceKey(kit),
    allowanceKeyAt: makeAllowanceKeyAt(kit),
    subscribers: checkArguments(makeSubscribers(kit), subscriberArguments),
    providers: checkArguments<ProviderSignIn>(makeProviderCalls(kit), providerArguments),
    passkeys: checkArguments<PasskeySignIn>(makePasskeyCalls(kit), passkeyArguments),
    console: checkArguments<ConsoleCalls>(makeConsoleCalls(kit), consoleArguments),
    operate: makeOperate(kit),
    background: checkArguments(
      {
        relay: makeRelay(kit),
        relayAllButEvents: makeRelay(kit, ['event']),
        deliverMail: makeDeliverMail(kit),
        purgeUnverified: makePurgeUnverified(kit),
        sweep: makeSweep(kit),
        recountAccess: makeRecountAccess(kit),
        recountUsers: async (): Promise<number> => {
          await kit.directory.recount();
          return 0;
        },
        sweepAvatars: makeSweepAvatars(kit),
        warnOfOtherSites: makeWarnOfOtherSites(kit),
        logAuditHead: makeLogAuditHead(kit),
        takeStatistics: makeTakeStatistics(kit),
        checkAudit: makeRunAuditCheck(kit),
        checkCustomDomains: makeCheckCustomDomains(kit),
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
    'allowanceKey',
  ]);
};
