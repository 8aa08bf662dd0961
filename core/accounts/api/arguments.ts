import { BYTES, CALL, COUNT, FLAG, nullable, oneOf, optional, SIZE, TEXT, WHOLE } from '../../schema.ts';
import { searchUsersInput } from '../admin/list-and-count-users.ts';
import { setUserEntitlementInput } from '../admin/set-user-entitlement.ts';
import { authorizeAppInput } from '../app-authorization/authorize-app.ts';
import { redeemAuthorizationCodeInput } from '../app-authorization/redeem-code.ts';
import { caller, ofUser, TEXT_OR_NOT, who } from '../argument-schemas.ts';
import { setCustomDomainInput } from '../custom-domain/set-custom-domain.ts';
import { askEmailChangeInput } from '../email-change/ask-email-change.ts';
import { confirmEmailChangeInput } from '../email-change/confirm-email-change.ts';
import { undoEmailChangeInput } from '../email-change/undo-email-change.ts';
import { serviceInput } from '../entitlements/connect-service.ts';
import { setEntitlementInput } from '../entitlements/set-entitlement.ts';
import { changePasswordInput } from '../password/change-password.ts';
import { confirmPasswordResetInput } from '../password/confirm-password-reset.ts';
import { requestPasswordResetInput } from '../password/request-password-reset.ts';
import { deleteAccountInput } from '../profile/delete-account.ts';
import { updateProfileInput } from '../profile/profile.ts';
import { registerInput } from '../registration/register.ts';
import { resendVerificationInput, verifyEmailInput } from '../registration/verify-email.ts';
import { configureTwoFactorInput } from '../second-factor/configure-two-factor.ts';
import { renewRecoveryCodesInput } from '../second-factor/recovery-codes.ts';
import { introspectInput } from '../sessions/introspect.ts';
import { issueAccessTokenInput } from '../sessions/issue-access-token.ts';
import { refreshInput } from '../sessions/refresh.ts';
import { reauthenticateInput } from '../sign-in/reauthenticate.ts';
import { signInInput } from '../sign-in/sign-in.ts';

const charge = optional(CALL);

/** The arguments of the account calls. */
export const accountArguments = {
  register: { input: registerInput, caller },
  verifyEmail: { input: verifyEmailInput, caller, charge },
  resendVerification: { input: resendVerificationInput, caller, charge },
  logIn: { input: signInInput, caller, charge },
  refresh: { input: refreshInput, caller },
  reauthenticate: { who, input: reauthenticateInput, caller },
  requestPasswordReset: { input: requestPasswordResetInput, caller, charge },
  confirmPasswordReset: { input: confirmPasswordResetInput, caller, charge },
  authenticate: {
    token: TEXT,
    standing: optional(oneOf(['any', 'active', 'operator', 'enterprise'])),
    caller: optional(caller),
  },
  authenticateCookie: {
    value: TEXT,
    standing: optional(oneOf(['any', 'active', 'operator', 'enterprise'])),
    caller: optional(caller),
  },
  issueAccessToken: { who, input: optional(issueAccessTokenInput) },
  authorizeApp: { who, input: authorizeAppInput, caller },
  redeemAuthorizationCode: { input: redeemAuthorizationCodeInput, caller },
  introspect: { input: introspectInput },
  showProfile: { who: ofUser },
  updateProfile: { who: ofUser, input: updateProfileInput },
  showSecurity: { who: ofUser },
  configureTwoFactor: { who, input: configureTwoFactorInput, caller },
  renewRecoveryCodes: { who, input: renewRecoveryCodesInput, caller },
  changePassword: { who, input: changePasswordInput, caller },
  listEntitlements: { who: ofUser, service: TEXT_OR_NOT },
  setOwnEntitlement: { who: ofUser, input: setEntitlementInput, internal: FLAG, caller },
  listUsers: { input: searchUsersInput },
  setUserEntitlement: { who: optional(ofUser), userId: TEXT, input: setUserEntitlementInput, caller },
  checkConnection: { who: ofUser, input: serviceInput },
  connect: { who: ofUser, input: serviceInput, caller },
  disconnect: { who: ofUser, input: serviceInput, caller },
  showAvatar: { who: ofUser },
  beginAvatarUpload: { who: ofUser, bytes: SIZE },
  setAvatar: { who: ofUser, bytes: BYTES, caller },
  removeAvatar: { who: ofUser, caller },
  showCustomDomain: { who: ofUser },
  setCustomDomain: { who: ofUser, input: setCustomDomainInput, caller },
  removeCustomDomain: { who: ofUser, caller },
  verifyCustomDomain: { who: ofUser, caller },
  listSessions: { who },
  endSession: { who, id: TEXT, caller },
  endOtherSessions: { who, caller },
  logOut: { who, caller },
  askEmailChange: { who, input: askEmailChangeInput, caller, charge },
  confirmEmailChange: { who, input: confirmEmailChangeInput, caller },
  cancelEmailChange: { who },
  undoEmailChange: { input: undoEmailChangeInput, caller },
  deleteAccount: { who, input: deleteAccountInput, caller },
};

/** The arguments of the calls by billing. */
export const subscriberArguments = {
  find: { userId: TEXT },
  knows: { userId: TEXT },
  change: { userId: TEXT, decide: CALL },
  listDue: { now: WHOLE, limit: COUNT },
  list: { after: nullable(TEXT), limit: COUNT },
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
