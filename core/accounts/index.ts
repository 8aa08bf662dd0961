import { checkArguments } from '../arguments.ts';
import { makeListUsers, makeSetUserEntitlement, makeUserStats } from './admin.ts';
import { accountArguments } from './arguments.ts';
import { makeBeginAudit, makeLogAuditHead } from './audit.ts';
import { makeAuthenticate } from './authenticate.ts';
import { makeRemoveAvatar, makeSetAvatar, makeShowAvatar, makeSweepAvatars } from './avatar.ts';
import { makeBeginAvatarUpload } from './avatar-uploads.ts';
import { makeChangePassword } from './change-password.ts';
import { makeCheckCustomDomains } from './check-custom-domains.ts';
import { makeConfigureTwoFactor } from './configure-two-factor.ts';
import { makeConfirmPasswordReset } from './confirm-password-reset.ts';
import { makeCheckConnection, makeConnect, makeDisconnect } from './connection.ts';
import { makeShowCustomDomain } from './custom-domain.ts';
import { makeDeleteAccount } from './delete-account.ts';
import { makeDeliverMail } from './deliver-mail.ts';
import { canonicalEmail } from './email.ts';
import { makeIntrospect } from './introspect.ts';
import { accountKey, accountKeyAt, knownAddress } from './keys.ts';
import { makeKit } from './kit.ts';
import { makeLogIn } from './log-in.ts';
import type { AccountsPorts, Caller } from './needs.ts';
import { operateArguments } from './operate/arguments.ts';
import { makeOperate } from './operate/index.ts';
import { type AccountsPolicy, defaultAccountsPolicy } from './policy.ts';
import { makeShowProfile, makeUpdateProfile } from './profile.ts';
import { makeReadOnce } from './read-once.ts';
import { makeReauthenticate } from './reauthenticate.ts';
import { makeRecountAccess } from './recount-access.ts';
import { makeRenewRecoveryCodes } from './recovery-codes.ts';
import { makeRefresh } from './refresh.ts';
import { makeRegister } from './register.ts';
import { makeRelay } from './relay.ts';
import { makeRemoveCustomDomain } from './remove-custom-domain.ts';
import { makeRequestPasswordReset } from './request-password-reset.ts';
import { makeResendVerification } from './resend-verification.ts';
import { makeListEntitlements } from './services.ts';
import { makeEndOtherSessions, makeEndSession, makeListSessions, makeLogOut } from './sessions.ts';
import { makeSetCustomDomain } from './set-custom-domain.ts';
import { makeSetOwnEntitlement } from './set-own-entitlement.ts';
import { makeSubscribers } from './subscribers.ts';
import { makePurgeUnverified, makeSweep } from './tidy.ts';
import { makeVerifyCustomDomain } from './verify-custom-domain.ts';
import { makeVerifyEmail } from './verify-email.ts';

/** The account half of the product: every use case, made from ports and the numbers that rule it. */
export const createAccounts = (ports: AccountsPorts, policy: Partial<AccountsPolicy> = {}) => {
  const kit = makeKit(ports, { ...defaultAccountsPolicy, ...policy });
  const { clock, digest, domains, tokens } = kit;
  const readOnce = makeReadOnce(kit);
  const calls = {
    /** To be called before anything else, at every start: what a new store begins with. */
    begin: makeBeginAudit(kit),
    register: makeRegister(kit),
    verifyEmail: makeVerifyEmail(kit),
    resendVerification: makeResendVerification(kit),
    logIn: makeLogIn(kit, readOnce),
    refresh: makeRefresh(kit),
    reauthenticate: makeReauthenticate(kit),
    requestPasswordReset: makeRequestPasswordReset(kit),
    confirmPasswordReset: makeConfirmPasswordReset(kit),
    authenticate: makeAuthenticate(kit),
    introspect: makeIntrospect(kit),
    showProfile: makeShowProfile(kit),
    updateProfile: makeUpdateProfile(kit),
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
    deleteAccount: makeDeleteAccount(kit),
    /** The JWK set under which access tokens verify. */
    publicKeys: () => tokens.publicKeys(clock.now()),
    /** The key of an email's own allowances; throws `invalid` for what is no email. */
    allowanceKey: (email: string) => accountKey(digest, canonicalEmail(domains, email)),
    /** The same for where an address that its owner uses has an allowance of its own: logins and password resets. */
    allowanceKeyAt: async (email: string, caller: Caller): Promise<string> => {
      const canonical = canonicalEmail(domains, email);
      const account = await readOnce.first(canonical, caller);
      const known = account && knownAddress(digest, kit.policy, account, caller.client, clock.now());
      return accountKeyAt(digest, canonical, known);
    },
    /** The accounts as billing sees them: for `createBilling`. */
    subscribers: makeSubscribers(kit),
    operate: checkArguments(makeOperate(kit), operateArguments, ['listAudit']),
    /** What must be done between requests. Each may run at any time and in several processes. */
    background: {
      relay: makeRelay(kit),
      /** The same for a process that nobody hears events from: these it leaves to others. */
      relayAllButEvents: makeRelay(kit, ['event']),
      deliverMail: makeDeliverMail(kit),
      purgeUnverified: makePurgeUnverified(kit),
      sweep: makeSweep(kit),
      recountAccess: makeRecountAccess(kit),
      /** Brings up to date what a store keeps of counts. */
      recountUsers: async (): Promise<number> => {
        await kit.directory.recount();
        return 0;
      },
      sweepAvatars: makeSweepAvatars(kit),
      logAuditHead: makeLogAuditHead(kit),
      checkCustomDomains: makeCheckCustomDomains(kit),
    },
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

export type Accounts = ReturnType<typeof createAccounts>;
