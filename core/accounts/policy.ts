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

/** The rules in numbers. Times are milliseconds unless the name says otherwise. */
const rules = {
  accessTokenSeconds: 900,
  refreshTokenLife: days(30),
  sessionLife: days(180),
  /** 0: a used refresh token is always refused. Otherwise a repeat within this time gets the same successor. */
  refreshGrace: 0,
  /** A second use of a refresh token within this time counts as a racing tab, later as theft. */
  refreshReuseTolerance: 10_000,
  /** How many used refresh tokens a session remembers to detect that. */
  usedTokensPerSession: 16,
  /** Whether sessions may be in cookies. */
  cookieSessions: false,
  /** How long a cookie value stays valid after a proof has replaced it. */
  formerCookieLife: minutes(1),
  /** The least time between two writes of the use of a session in a cookie. */
  cookieUseEvery: minutes(15),
  /** A console session ends after `consoleIdle` without use, and after `consoleLife` in any case. */
  consoleIdle: minutes(30),
  consoleLife: hours(12),
  /** The least time between two writes of the use of a console session. */
  consoleUseEvery: minutes(1),
  /** How long a proof of identity stays fresh. */
  freshFor: minutes(10),
  sessionsPerUser: 20,
  passwordShortest: 8,
  passwordLongest: 256,
  wrongPasswordsADay: 100,
  /** A hash whose check takes longer is not imported: each later guess at its password would cost the server as much. */
  importedHashTime: 2_000,
  /** How long a provider flow may take in the browser. */
  flowLife: minutes(10),
  /** How long the code at the end of a flow is valid, and the ticket that begins a session's flow. */
  flowCodeLife: minutes(1),
  ticketLife: minutes(1),
  /** How long the result of a flow can be used to link the identity or to sign up. */
  flowTokenLife: minutes(10),
  /** How long an authorization code for an app is valid, and how long a second use of it is detected. */
  authorizationCodeLife: minutes(1),
  authorizationCodeReuseLife: minutes(10),
  /** The greatest age of an authentication at the provider that counts as a fresh proof. */
  providerProofAge: minutes(5),
  identitiesPerUser: 20,
  /** How long a challenge to a passkey is valid. */
  passkeyFlowLife: minutes(5),
  passkeyChallengeBytes: 32,
  /** The length of the WebAuthn user handle. */
  passkeyHandleBytes: 32,
  passkeysPerUser: 20,
  passkeyNameLongest: 64,
  /** The least time between two writes of a passkey's use, if nothing else changes. */
  passkeyUseEvery: hours(1),
  /** How long a client address stays known to an account after a sign-in from it, and how many it remembers. */
  knownAddressLife: days(30),
  knownAddresses: 20,
  verificationCodeLife: minutes(15),
  resetCodeLife: minutes(10),
  attemptsPerCode: 5,
  /** How long an owner may undo a change of the email, and how many changes may be open to an undo at once. */
  emailUndoLife: days(7),
  emailUndoWindows: 3,
  /** How far before the request of a change its undo reaches: a thief may have prepared the change by other methods. */
  emailUndoReach: days(30),
  emailChangesADay: 5,
  /** The wrong codes after which an email's verification is locked: for the client network they came from, and for all. */
  networkWrongCodesADay: 10,
  wrongCodesADay: 60,
  /** Mails with codes to one email. */
  codeMailsADay: 60,
  /** Those of them that one client network caused. */
  networkCodeMailsADay: 20,
  /** Those of them that registrations and sign-ins sent, without a request for a code. */
  unaskedCodeMailsADay: 20,
  /** The resend allowance of an account, which also counts codes sent by sign-in and repeated registration. */
  resendLimit: rateLimitBuckets.resend.requests,
  unverifiedLife: days(7),
  displayNameLongest: 100,
  /** How long the session that began the setup of a second factor may confirm it. */
  twoFactorSetupLife: minutes(15),
  /** Time steps of 30 seconds by which a code may be early or late. */
  totpWindow: 1,
  wrongTotpInRow: 5,
  totpLockout: minutes(15),
  wrongTotpADay: 10,
  recoveryCodes: 10,
  pendingTokenLife: minutes(5),
  /** Whether operators need a second factor to have more rights than users. */
  operatorsNeedSecondFactor: true,
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  entitlementObjectLongest: 16_384,
  /** Pixels per side, and in all. */
  avatarSideLongest: 4_096,
  avatarPixelsMost: 16_000_000,
  /** Uploads under way: their number for one user, and their bytes in a whole process. */
  avatarUploadsPerUser: 2,
  avatarUploadBytes: 67_108_864,
  /** How old a stored avatar must be before it counts as left behind by a crash. */
  avatarOrphanLife: hours(1),
  /** The tier that includes a custom domain. */
  customDomainTier: 'enterprise',
  /** How long a claim keeps others from claiming the same domain. */
  domainClaimLife: days(7),
  /** How long a claim counts although its account does not name it yet: far longer than the write of the account takes. */
  domainClaimSettles: minutes(1),
  /** How long an account remembers a domain that its user removed, and how many domains may be removed in that time. */
  domainMemory: days(30),
  domainsRemembered: 50,
  domainCheckEvery: days(1),
  /** The time until a look-up is repeated that the DNS did not answer. */
  domainCheckRetry: hours(1),
  /** Daily look-ups in a row without the record after which a domain is no longer verified. */
  domainFailedDays: 7,
  adminPageDefault: 50,
  adminPageLongest: 200,
  /** Users, or rows of the audit log, that one search by an operator reads. */
  readsPerSearch: 5_000,
  mailRetryFirst: 1_000,
  mailRetryLongest: hours(1),
  mailGiveUp: hours(24),
  taskRetryFirst: 1_000,
  /** A task that was refused permanently is also repeated after this time: an operator may have acted. */
  taskRetryLongest: hours(1),
  failedTaskLogEvery: minutes(1),
  refusedTaskLogEvery: hours(1),
  /** How long a checkout that began before its account's deletion may take to reach the payment provider. */
  checkoutLife: minutes(5),
};

/** The settings of all account rules. */
export interface AccountsPolicy extends MailBranding, Readonly<typeof rules> {
  /** The algorithms for new passkeys (IANA COSE Algorithms), in the order of preference. */
  readonly passkeyAlgorithms: readonly number[];
  /** The redirect URIs for provider flows and app authorizations, compared as whole texts. */
  readonly signInRedirects: readonly string[];
  /** Other services for which access tokens may be issued. */
  readonly tokenAudiences: readonly string[];
  /** All tiers; everybody has `free`. */
  readonly tiers: readonly string[];
  readonly selfEntitlement: SelfEntitlement;
}

export const defaultAccountsPolicy: AccountsPolicy = {
  ...rules,
  productName: 'Gatehouse',
  brandColour: DEFAULT_COLOUR,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  tokenAudiences: [],
  signInRedirects: [],
  tiers: defaultTiers,
  selfEntitlement: 'ignore',
  // ES256, EdDSA and RS256.
  passkeyAlgorithms: [-7, -8, -257],
};

/** A day in milliseconds, such as the window in which wrong attempts are counted. */
export const DAY = days(1);

/** Clocks differ by less than this, in milliseconds: a time further ahead was taken before the clock was set back. */
export const CLOCK_SET_BACK = 60_000;
