import {
  BYTES,
  CALL,
  COUNT,
  FLAG,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  orNull,
  record,
  SIZE,
  TEXT,
  WHOLE,
} from '../../arguments.ts';
import { caller, ofUser, passkeyAnswer, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { SetCustomDomain } from '../custom-domain/set-custom-domain.ts';
import type { AskEmailChange } from '../email-change/ask.ts';
import type { ConfirmEmailChange } from '../email-change/confirm.ts';
import type { UndoEmailChange } from '../email-change/undo.ts';
import type { ChooseService } from '../entitlements/connection.ts';
import type { SetEntitlement } from '../entitlements/entitle.ts';
import type { HandOver } from '../handover/give.ts';
import type { RedeemHandover } from '../handover/redeem.ts';
import type { SearchUsers } from '../operate/users.ts';
import type { DeleteAccount } from '../profile/delete-account.ts';
import { profileChanges } from '../profile/profile.ts';
import type { Introspect } from '../sessions/introspect.ts';
import type { Refresh } from '../sessions/refresh.ts';
import type { ChangePassword } from '../sign-in/change-password.ts';
import type { ConfigureTwoFactor } from '../sign-in/configure-two-factor.ts';
import type { ConfirmPasswordReset } from '../sign-in/confirm-password-reset.ts';
import type { LogIn } from '../sign-in/log-in.ts';
import type { Reauthenticate } from '../sign-in/reauthenticate.ts';
import type { RenewRecoveryCodes } from '../sign-in/recovery-codes.ts';
import type { Register } from '../sign-in/register.ts';
import type { RequestPasswordReset } from '../sign-in/request-password-reset.ts';
import type { ResendVerification } from '../sign-in/resend-verification.ts';
import type { VerifyEmail } from '../sign-in/verify-email.ts';

const limit = optional(orNull(NUMBER));
const entitlement = record<SetEntitlement>({
  service: TEXT,
  tier: optional(orNull(TEXT)),
  isPremium: optional(FLAG),
  accessFlags: optional(OBJECT),
  metadata: optional(OBJECT),
  customStorageLimit: limit,
  customApiKeyLimit: limit,
});
const service = record<ChooseService>({ service: TEXT });

/** What the calls for accounts take. */
export const accountArguments = {
  register: { input: record<Register>({ email: TEXT, password: TEXT, displayName: TEXT_OR_NOT }), caller },
  verifyEmail: {
    input: record<VerifyEmail>({
      email: TEXT,
      code: TEXT,
      password: TEXT_OR_NOT,
      signUpToken: TEXT_OR_NOT,
    }),
    caller,
  },
  resendVerification: { input: record<ResendVerification>({ email: TEXT }), caller },
  logIn: {
    input: record<LogIn>({
      email: TEXT,
      password: TEXT_OR_NOT,
      pendingToken: TEXT_OR_NOT,
      verificationCode: TEXT_OR_NOT,
      passkey: optional(passkeyAnswer),
    }),
    caller,
    admit: optional(CALL),
  },
  refresh: { input: record<Refresh>({ refreshToken: TEXT }), caller },
  reauthenticate: {
    who,
    input: record<Reauthenticate>({
      password: TEXT_OR_NOT,
      verificationCode: TEXT_OR_NOT,
      passkey: optional(passkeyAnswer),
      code: TEXT_OR_NOT,
      verifier: TEXT_OR_NOT,
    }),
    caller,
  },
  requestPasswordReset: { input: record<RequestPasswordReset>({ email: TEXT }), caller },
  confirmPasswordReset: {
    input: record<ConfirmPasswordReset>({ email: TEXT, code: TEXT, newPassword: TEXT }),
    caller,
  },
  authenticate: {
    token: TEXT,
    standing: optional(oneOf('any', 'active', 'operator', 'enterprise')),
    caller: optional(caller),
  },
  authenticateCookie: {
    value: TEXT,
    standing: optional(oneOf('any', 'active', 'operator', 'enterprise')),
    caller: optional(caller),
  },
  issueAccessToken: { who },
  handOver: { who, input: record<HandOver>({ returnTo: TEXT, codeChallenge: TEXT }), caller },
  redeemHandover: {
    input: record<RedeemHandover>({ code: TEXT, codeVerifier: TEXT, returnTo: TEXT }),
    caller,
  },
  introspect: { input: record<Introspect>({ token: TEXT }) },
  showProfile: { who: ofUser },
  updateProfile: { who: ofUser, input: profileChanges },
  showSecurity: { who: ofUser },
  configureTwoFactor: {
    who,
    input: record<ConfigureTwoFactor>({
      enable: FLAG,
      verificationCode: TEXT_OR_NOT,
      secret: TEXT_OR_NOT,
      password: TEXT_OR_NOT,
    }),
    caller,
  },
  renewRecoveryCodes: { who, input: record<RenewRecoveryCodes>({ verificationCode: TEXT }), caller },
  changePassword: {
    who,
    input: record<ChangePassword>({
      currentPassword: TEXT_OR_NOT,
      newPassword: TEXT,
      verificationCode: TEXT_OR_NOT,
    }),
    caller,
  },
  listEntitlements: { who: ofUser, service: TEXT_OR_NOT },
  setOwnEntitlement: { who: ofUser, input: entitlement, internal: FLAG, caller },
  listUsers: {
    input: record<SearchUsers>({
      page: optional(COUNT),
      limit: optional(COUNT),
      email: TEXT_OR_NOT,
      tier: TEXT_OR_NOT,
      cursor: TEXT_OR_NOT,
      emailBegins: TEXT_OR_NOT,
      banned: optional(FLAG),
      disabled: optional(FLAG),
      unverified: optional(FLAG),
      operator: optional(FLAG),
    }),
  },
  setUserEntitlement: { who: optional(ofUser), userId: TEXT, input: entitlement, caller },
  checkConnection: { who: ofUser, input: service },
  connect: { who: ofUser, input: service, caller },
  disconnect: { who: ofUser, input: service, caller },
  showAvatar: { who: ofUser },
  beginAvatarUpload: { who: ofUser, bytes: SIZE },
  setAvatar: { who: ofUser, bytes: BYTES, caller },
  removeAvatar: { who: ofUser, caller },
  showCustomDomain: { who: ofUser },
  setCustomDomain: { who: ofUser, input: record<SetCustomDomain>({ domain: TEXT }), caller },
  removeCustomDomain: { who: ofUser, caller },
  verifyCustomDomain: { who: ofUser, caller },
  listSessions: { who },
  endSession: { who, id: TEXT, caller },
  endOtherSessions: { who, caller },
  logOut: { who, caller },
  askEmailChange: { who, input: record<AskEmailChange>({ email: TEXT }), caller },
  confirmEmailChange: { who, input: record<ConfirmEmailChange>({ code: TEXT }), caller },
  cancelEmailChange: { who },
  undoEmailChange: { input: record<UndoEmailChange>({ email: TEXT, code: TEXT }), caller },
  deleteAccount: {
    who,
    input: record<DeleteAccount>({ password: TEXT_OR_NOT, verificationCode: TEXT_OR_NOT }),
    caller,
  },
  allowanceKey: { email: TEXT },
  allowanceKeyAt: { email: TEXT, caller },
};

/** What the calls of billing take. */
export const subscriberArguments = {
  find: { userId: TEXT },
  knows: { userId: TEXT },
  change: { userId: TEXT, decide: CALL },
  listDue: { now: NUMBER, limit: COUNT },
  list: { after: orNull(TEXT), limit: COUNT },
};

const most = optional(COUNT);

/** What the jobs between requests take. */
export const backgroundArguments = {
  relay: { page: most },
  relayAllButEvents: { page: most },
  deliverMail: { fence: WHOLE },
  purgeUnverified: { limit: most },
  sweep: { limit: most },
  recountAccess: { limit: most },
  warnOfOtherSites: { most },
  checkCustomDomains: { limit: most },
};
