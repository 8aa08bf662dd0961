import { DEFAULT_COLOUR, type Hex } from '../branding/index.ts';
import { rateLimitBuckets } from '../rate-limits.ts';
import { defaultTiers } from '../tiers.ts';
import type { SelfEntitlement } from './entitlement.ts';

const minutes = (count: number) => count * 60_000;
const hours = (count: number) => count * 3_600_000;
const days = (count: number) => count * 86_400_000;

/** The branding of mails around their text. */
export interface MailBranding {
  readonly productName: string;
  /** `#rrggbb`. */
  readonly brandColour: Hex;
  /** Linked in the footer; null: not shown. */
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

/** The settings of all account rules. Times are milliseconds unless the name says otherwise. */
export interface AccountsPolicy extends MailBranding {
  readonly accessTokenSeconds: number;
  readonly refreshTokenLife: number;
  readonly sessionLife: number;
  /** 0: a used refresh token is always refused. Otherwise a repeat within this time gets the same successor. */
  readonly refreshGrace: number;
  /** A second use of a refresh token within this time counts as a racing tab, later as theft. */
  readonly refreshReuseTolerance: number;
  /** How many used refresh tokens a session remembers to detect that. */
  readonly usedTokensPerSession: number;
  /** Whether sessions may be in cookies. */
  readonly cookieSessions: boolean;
  /** How long a cookie value stays valid after a proof has replaced it. */
  readonly formerCookieLife: number;
  /** The least time between two writes of the use of a session in a cookie. */
  readonly cookieUseEvery: number;
  /** A console session ends after `consoleIdle` without use, and after `consoleLife` in any case. */
  readonly consoleIdle: number;
  readonly consoleLife: number;
  /** The least time between two writes of its use. */
  readonly consoleUseEvery: number;
  /** How long a proof of identity stays fresh. */
  readonly freshFor: number;
  readonly sessionsPerUser: number;
  readonly passwordShortest: number;
  readonly passwordLongest: number;
  readonly wrongPasswordsADay: number;
  /** How long the check of an imported password hash may take: each wrong password costs as much. */
  readonly importedHashTime: number;
  /** How long a provider flow may take in the browser. */
  readonly flowLife: number;
  /** How long the code at the end of a flow is valid, and the ticket that begins a session's flow. */
  readonly flowCodeLife: number;
  readonly ticketLife: number;
  /** How long the result of a flow can be used to link the identity or to sign up. */
  readonly flowTokenLife: number;
  /** How long an authorization code for an app is valid, and how long a second use of it is detected. */
  readonly authorizationCodeLife: number;
  readonly authorizationCodeReuseLife: number;
  /** The greatest age of an authentication at the provider that counts as a fresh proof. */
  readonly providerProofAge: number;
  readonly identitiesPerUser: number;
  /** How long a challenge to a passkey is valid. */
  readonly passkeyFlowLife: number;
  readonly passkeyChallengeBytes: number;
  /** The length of the WebAuthn user handle. */
  readonly passkeyHandleBytes: number;
  /** The algorithms for new passkeys (IANA COSE Algorithms), in the order of preference. */
  readonly passkeyAlgorithms: readonly number[];
  readonly passkeysPerUser: number;
  readonly passkeyNameLongest: number;
  /** The least time between two writes of a passkey's use, if nothing else changes. */
  readonly passkeyUseEvery: number;
  readonly knownAddressLife: number;
  readonly knownAddresses: number;
  readonly verificationCodeLife: number;
  readonly resetCodeLife: number;
  readonly attemptsPerCode: number;
  /** How long an owner may undo a change of the email, and how many changes may be open to an undo at once. */
  readonly emailUndoLife: number;
  readonly emailUndoWindows: number;
  /** How long before its request an undo considers the session that changed the email. */
  readonly emailUndoReach: number;
  readonly emailChangesADay: number;
  /** The wrong verification codes, from one client network and in all, after which an email is locked. */
  readonly networkWrongCodesADay: number;
  readonly wrongCodesADay: number;
  /** Mails with codes to an address: requested by one client network, in all, and for sign-ins and registrations. */
  readonly networkCodeMailsADay: number;
  readonly codeMailsADay: number;
  readonly unaskedCodeMailsADay: number;
  /** The resend allowance of an account, which also counts codes sent by sign-in and registration. */
  readonly resendLimit: number;
  readonly resendSeconds: number;
  readonly unverifiedLife: number;
  readonly displayNameLongest: number;
  /** How long the session that began the setup of a second factor may confirm it. */
  readonly twoFactorSetupLife: number;
  readonly totpWindow: number;
  readonly wrongTotpInRow: number;
  readonly totpLockout: number;
  readonly wrongTotpADay: number;
  readonly recoveryCodes: number;
  readonly pendingTokenLife: number;
  /** Whether operators need a second factor to have more rights than users. */
  readonly operatorsNeedSecondFactor: boolean;
  /** The redirect URIs for provider flows and app authorizations, compared as whole texts. */
  readonly signInRedirects: readonly string[];
  /** Other services for which access tokens may be issued. */
  readonly tokenAudiences: readonly string[];
  /** All tiers; everybody has `free`. */
  readonly tiers: readonly string[];
  readonly selfEntitlement: SelfEntitlement;
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  readonly entitlementObjectLongest: number;
  /** Pixels per side, and in all. */
  readonly avatarSideLongest: number;
  readonly avatarPixelsMost: number;
  /** Uploads under way: their number for one user, and their bytes in a whole process. */
  readonly avatarUploadsPerUser: number;
  readonly avatarUploadBytes: number;
  /** How old a stored avatar must be before it counts as left behind by a crash. */
  readonly avatarOrphanLife: number;
  /** The tier that comes with a custom domain. */
  readonly customDomainTier: string;
  /** How long a claim keeps others from claiming the same domain. */
  readonly domainClaimLife: number;
  /** How long a claim counts that its account does not name yet: far longer than the write of the account takes. */
  readonly domainClaimSettles: number;
  /** How long an account remembers a domain that its user removed, and how many domains may be removed in that time. */
  readonly domainMemory: number;
  readonly domainsRemembered: number;
  readonly domainCheckEvery: number;
  /** The time until a look-up is repeated that the DNS did not answer. */
  readonly domainCheckRetry: number;
  /** Look-ups in a row without the record after which a domain is no longer verified. */
  readonly domainFailedDays: number;
  readonly adminPageDefault: number;
  readonly adminPageLongest: number;
  /** Users, or rows of the audit log, that one search by an operator reads. */
  readonly readsPerSearch: number;
  readonly mailRetryFirst: number;
  readonly mailRetryLongest: number;
  readonly mailGiveUp: number;
  readonly taskRetryFirst: number;
  /** A task that was refused permanently is also repeated after this time: an operator may have acted. */
  readonly taskRetryLongest: number;
  readonly failedTaskLogEvery: number;
  readonly refusedTaskLogEvery: number;
  /** How long a checkout that began before its account's deletion may take to reach the payment provider. */
  readonly checkoutLife: number;
}

export const defaultAccountsPolicy: AccountsPolicy = {
  productName: 'Gatehouse',
  brandColour: DEFAULT_COLOUR,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  accessTokenSeconds: 900,
  refreshTokenLife: days(30),
  sessionLife: days(180),
  refreshGrace: 0,
  refreshReuseTolerance: 10_000,
  usedTokensPerSession: 16,
  cookieSessions: false,
  formerCookieLife: minutes(1),
  cookieUseEvery: minutes(15),
  consoleIdle: minutes(30),
  consoleLife: hours(12),
  consoleUseEvery: minutes(1),
  freshFor: minutes(10),
  sessionsPerUser: 20,
  passwordShortest: 8,
  passwordLongest: 256,
  wrongPasswordsADay: 100,
  importedHashTime: 2_000,
  flowLife: minutes(10),
  flowCodeLife: minutes(1),
  ticketLife: minutes(1),
  flowTokenLife: minutes(10),
  authorizationCodeLife: minutes(1),
  authorizationCodeReuseLife: minutes(10),
  providerProofAge: minutes(5),
  identitiesPerUser: 20,
  passkeyFlowLife: minutes(5),
  passkeyChallengeBytes: 32,
  passkeyHandleBytes: 32,
  passkeyAlgorithms: [-7, -8, -257],
  passkeysPerUser: 20,
  passkeyNameLongest: 64,
  passkeyUseEvery: hours(1),
  knownAddressLife: days(30),
  knownAddresses: 20,
  verificationCodeLife: minutes(15),
  resetCodeLife: minutes(10),
  attemptsPerCode: 5,
  emailUndoLife: days(7),
  emailUndoWindows: 3,
  emailUndoReach: days(30),
  emailChangesADay: 5,
  networkWrongCodesADay: 10,
  wrongCodesADay: 60,
  networkCodeMailsADay: 20,
  codeMailsADay: 60,
  unaskedCodeMailsADay: 20,
  resendLimit: rateLimitBuckets.resend.requests,
  resendSeconds: 60,
  unverifiedLife: days(7),
  displayNameLongest: 100,
  twoFactorSetupLife: minutes(15),
  totpWindow: 1,
  wrongTotpInRow: 5,
  totpLockout: minutes(15),
  wrongTotpADay: 10,
  recoveryCodes: 10,
  pendingTokenLife: minutes(5),
  operatorsNeedSecondFactor: true,
  signInRedirects: [],
  tokenAudiences: [],
  tiers: defaultTiers,
  selfEntitlement: 'ignore',
  entitlementObjectLongest: 16_384,
  avatarSideLongest: 4_096,
  avatarPixelsMost: 16_000_000,
  avatarUploadsPerUser: 2,
  avatarUploadBytes: 67_108_864,
  avatarOrphanLife: hours(1),
  customDomainTier: 'enterprise',
  domainClaimLife: days(7),
  domainClaimSettles: minutes(1),
  domainMemory: days(30),
  domainsRemembered: 50,
  domainCheckEvery: days(1),
  domainCheckRetry: hours(1),
  domainFailedDays: 7,
  adminPageDefault: 50,
  adminPageLongest: 200,
  readsPerSearch: 5_000,
  mailRetryFirst: 1_000,
  mailRetryLongest: hours(1),
  mailGiveUp: hours(24),
  taskRetryFirst: 1_000,
  taskRetryLongest: hours(1),
  failedTaskLogEvery: minutes(1),
  refusedTaskLogEvery: hours(1),
  checkoutLife: minutes(5),
};

/** The length of the window in which wrong attempts are counted. */
export const DAY = days(1);

/** Clocks differ by less than this: a time further ahead was taken before the clock was set back. */
export const CLOCK_SET_BACK = 60_000;
