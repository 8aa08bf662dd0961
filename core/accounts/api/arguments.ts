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
import type { SearchUsersInput, SetUserEntitlementInput } from '../admin/users.ts';
import type { AuthorizeAppInput } from '../app-authorization/authorize-app.ts';
import type { RedeemAuthorizationCodeInput } from '../app-authorization/redeem-code.ts';
import { caller, ofUser, passkeyAnswer, TEXT_OR_NOT, who } from '../argument-rules.ts';
import type { SetCustomDomainInput } from '../custom-domain/set-custom-domain.ts';
import type { AskEmailChangeInput } from '../email-change/ask-email-change.ts';
import type { ConfirmEmailChangeInput } from '../email-change/confirm-email-change.ts';
import type { UndoEmailChangeInput } from '../email-change/undo-email-change.ts';
import type { ServiceInput } from '../entitlements/connection.ts';
import type { SetEntitlementInput } from '../entitlements/set-entitlement.ts';
import type { ChangePasswordInput } from '../password/change-password.ts';
import type { ConfirmPasswordResetInput } from '../password/confirm-password-reset.ts';
import type { RequestPasswordResetInput } from '../password/request-password-reset.ts';
import type { DeleteAccountInput } from '../profile/delete-account.ts';
import { profileChanges } from '../profile/profile.ts';
import type { RegisterInput } from '../registration/register.ts';
import type { ResendVerificationInput, VerifyEmailInput } from '../registration/verify-email.ts';
import type { ConfigureTwoFactorInput } from '../second-factor/configure-two-factor.ts';
import type { RenewRecoveryCodesInput } from '../second-factor/recovery-codes.ts';
import type { IntrospectInput } from '../sessions/introspect.ts';
import type { IssueAccessTokenInput } from '../sessions/issue-access-token.ts';
import type { RefreshInput } from '../sessions/refresh.ts';
import type { ReauthenticateInput } from '../sign-in/reauthenticate.ts';
import type { SignInInput } from '../sign-in/sign-in.ts';

const limit = optional(orNull(NUMBER));
const entitlementMembers = {
  service: TEXT,
  tier: optional(orNull(TEXT)),
  isPremium: optional(FLAG),
  accessFlags: optional(OBJECT),
  metadata: optional(OBJECT),
  customStorageLimit: limit,
  customApiKeyLimit: limit,
};
const entitlement = record<SetEntitlementInput>(entitlementMembers);
const userEntitlement = record<SetUserEntitlementInput>({ ...entitlementMembers, reason: TEXT_OR_NOT });
const service = record<ServiceInput>({ service: TEXT });

/** The arguments of the account calls. */
export const accountArguments = {
  register: {
    input: record<RegisterInput>({ email: TEXT, password: TEXT, displayName: TEXT_OR_NOT }),
    caller,
  },
  verifyEmail: {
    input: record<VerifyEmailInput>({
      email: TEXT,
      code: TEXT,
      password: TEXT_OR_NOT,
      signUpToken: TEXT_OR_NOT,
    }),
    caller,
    charge: optional(CALL),
  },
  resendVerification: {
    input: record<ResendVerificationInput>({ email: TEXT }),
    caller,
    charge: optional(CALL),
  },
  logIn: {
    input: record<SignInInput>({
      email: TEXT,
      password: TEXT_OR_NOT,
      pendingToken: TEXT_OR_NOT,
      verificationCode: TEXT_OR_NOT,
      passkey: optional(passkeyAnswer),
    }),
    caller,
    charge: optional(CALL),
  },
  refresh: { input: record<RefreshInput>({ refreshToken: TEXT }), caller },
  reauthenticate: {
    who,
    input: record<ReauthenticateInput>({
      password: TEXT_OR_NOT,
      verificationCode: TEXT_OR_NOT,
      passkey: optional(passkeyAnswer),
      code: TEXT_OR_NOT,
      verifier: TEXT_OR_NOT,
    }),
    caller,
  },
  requestPasswordReset: {
    input: record<RequestPasswordResetInput>({ email: TEXT }),
    caller,
    charge: optional(CALL),
  },
  confirmPasswordReset: {
    input: record<ConfirmPasswordResetInput>({ email: TEXT, code: TEXT, newPassword: TEXT }),
    caller,
    charge: optional(CALL),
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
  issueAccessToken: { who, input: optional(record<IssueAccessTokenInput>({ audience: optional(TEXT) })) },
  handOver: { who, input: record<AuthorizeAppInput>({ returnTo: TEXT, codeChallenge: TEXT }), caller },
  redeemHandover: {
    input: record<RedeemAuthorizationCodeInput>({ code: TEXT, codeVerifier: TEXT, returnTo: TEXT }),
    caller,
  },
  introspect: { input: record<IntrospectInput>({ token: TEXT }) },
  showProfile: { who: ofUser },
  updateProfile: { who: ofUser, input: profileChanges },
  showSecurity: { who: ofUser },
  configureTwoFactor: {
    who,
    input: record<ConfigureTwoFactorInput>({
      enable: FLAG,
      verificationCode: TEXT_OR_NOT,
      secret: TEXT_OR_NOT,
      password: TEXT_OR_NOT,
    }),
    caller,
  },
  renewRecoveryCodes: { who, input: record<RenewRecoveryCodesInput>({ verificationCode: TEXT }), caller },
  changePassword: {
    who,
    input: record<ChangePasswordInput>({
      currentPassword: TEXT_OR_NOT,
      newPassword: TEXT,
      verificationCode: TEXT_OR_NOT,
    }),
    caller,
  },
  listEntitlements: { who: ofUser, service: TEXT_OR_NOT },
  setOwnEntitlement: { who: ofUser, input: entitlement, internal: FLAG, caller },
  listUsers: {
    input: record<SearchUsersInput>({
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
  setUserEntitlement: { who: optional(ofUser), userId: TEXT, input: userEntitlement, caller },
  checkConnection: { who: ofUser, input: service },
  connect: { who: ofUser, input: service, caller },
  disconnect: { who: ofUser, input: service, caller },
  showAvatar: { who: ofUser },
  beginAvatarUpload: { who: ofUser, bytes: SIZE },
  setAvatar: { who: ofUser, bytes: BYTES, caller },
  removeAvatar: { who: ofUser, caller },
  showCustomDomain: { who: ofUser },
  setCustomDomain: { who: ofUser, input: record<SetCustomDomainInput>({ domain: TEXT }), caller },
  removeCustomDomain: { who: ofUser, caller },
  verifyCustomDomain: { who: ofUser, caller },
  listSessions: { who },
  endSession: { who, id: TEXT, caller },
  endOtherSessions: { who, caller },
  logOut: { who, caller },
  askEmailChange: {
    who,
    input: record<AskEmailChangeInput>({ email: TEXT }),
    caller,
    charge: optional(CALL),
  },
  confirmEmailChange: { who, input: record<ConfirmEmailChangeInput>({ code: TEXT }), caller },
  cancelEmailChange: { who },
  undoEmailChange: { input: record<UndoEmailChangeInput>({ email: TEXT, code: TEXT }), caller },
  deleteAccount: {
    who,
    input: record<DeleteAccountInput>({ password: TEXT_OR_NOT, verificationCode: TEXT_OR_NOT }),
    caller,
  },
};

/** The arguments of the calls by billing. */
export const subscriberArguments = {
  find: { userId: TEXT },
  knows: { userId: TEXT },
  change: { userId: TEXT, decide: CALL },
  listDue: { now: NUMBER, limit: COUNT },
  list: { after: orNull(TEXT), limit: COUNT },
};

const maximum = optional(COUNT);

/** The arguments of the background jobs. */
export const backgroundArguments = {
  relay: { page: maximum },
  relayAllButEvents: { page: maximum },
  deliverMail: { fence: WHOLE },
  purgeUnverified: { limit: maximum },
  sweep: { limit: maximum },
  recountAccess: { limit: maximum },
  warnOfOtherSites: { most: maximum },
  checkCustomDomains: { limit: maximum },
};
