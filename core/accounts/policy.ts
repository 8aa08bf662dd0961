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

/** How long things last, and how often they are repeated. */
const lifetimes = {
  accessTokenSeconds: 900,
  refreshTokenLifeMs: days(30),
  sessionLifeMs: days(180),
  /** 0: a used refresh token is always refused. Otherwise a repeat within this time gets the same successor. */
  refreshGraceMs: 0,
  /** A second use of a refresh token within this time counts as a racing tab, later as theft. */
  refreshReuseToleranceMs: 10_000,
  /** How long a cookie value stays valid after a proof has replaced it. */
  formerCookieLifeMs: minutes(1),
  /** The least time between two writes of the use of a session in a cookie. */
  cookieUseEveryMs: minutes(15),
  /** A console session ends after `consoleIdleMs` without use, and after `consoleLifeMs` in any case. */
  consoleIdleMs: minutes(30),
  consoleLifeMs: hours(12),
  /** The least time between two writes of the use of a console session. */
  consoleUseEveryMs: minutes(1),
  /** How long a proof of identity stays fresh. */
  freshForMs: minutes(10),
  /** How long a provider flow may take in the browser. */
  flowLifeMs: minutes(10),
  /** How long the code at the end of a flow is valid. */
  flowCodeLifeMs: minutes(1),
  /** How long the ticket that begins a session's flow is valid. */
  ticketLifeMs: minutes(1),
  /** How long the result of a flow can be used to link the identity or to sign up. */
  flowTokenLifeMs: minutes(10),
  /** How long an authorization code for an app is valid. */
  authorizationCodeLifeMs: minutes(1),
  /** How long a second use of the code is detected. */
  authorizationCodeReuseLifeMs: minutes(10),
  /** The greatest age of an authentication at the provider that counts as a fresh proof. */
  providerProofAgeMs: minutes(5),
  /** How long a challenge to a passkey is valid. */
  passkeyFlowLifeMs: minutes(5),
  /** The least time between two writes of a passkey's use, if nothing else changes. */
  passkeyUseEveryMs: hours(1),
  /** How long a client address stays known to an account after a sign-in from it. */
  knownAddressLifeMs: days(30),
  verificationCodeLifeMs: minutes(15),
  resetCodeLifeMs: minutes(10),
  /** How long an owner may undo a change of the email. */
  emailUndoLifeMs: days(7),
  /** How far the undo reaches back before the request of the change, which a thief may have prepared by other methods. */
  emailUndoReachMs: days(30),
  unverifiedLifeMs: days(7),
  /** How long the session that began the setup of a second factor may confirm it. */
  twoFactorSetupLifeMs: minutes(15),
  totpLockoutMs: minutes(15),
  pendingTokenLifeMs: minutes(5),
  /** How old a stored avatar must be before it counts as left behind by a crash. */
  avatarOrphanLifeMs: hours(1),
  /** How long a claim keeps others from claiming the same domain. */
  domainClaimLifeMs: days(7),
  /** How long a claim counts although its account does not name it yet: far longer than the write of the account takes. */
  domainClaimGraceMs: minutes(1),
  /** How long an account remembers a domain that its user removed. */
  formerDomainLifeMs: days(30),
  domainCheckEveryMs: days(1),
  /** The time until a look-up is repeated that the DNS did not answer. */
  domainCheckRetryMs: hours(1),
  mailRetryFirstMs: 1_000,
  mailRetryLongestMs: hours(1),
  mailGiveUpMs: hours(24),
  taskRetryFirstMs: 1_000,
  /** A task that was refused permanently is also repeated after this time: an operator may have acted. */
  taskRetryLongestMs: hours(1),
  failedTaskLogEveryMs: minutes(1),
  refusedTaskLogEveryMs: hours(1),
  /** How long a checkout that began before its account's deletion may take to reach the payment provider. */
  checkoutLifeMs: minutes(5),
};

const limits = {
  sessionsPerUser: 20,
  /** How many used refresh tokens a session remembers to detect a second use. */
  usedTokensPerSession: 16,
  passwordShortest: 8,
  passwordLongest: 256,
  wrongPasswordsADay: 100,
  /** A hash whose check takes longer is not imported: each later guess at its password would cost the server as much. */
  importedHashTimeMs: 2_000,
  identitiesPerUser: 20,
  passkeyChallengeBytes: 32,
  /** The length of the WebAuthn user handle. */
  passkeyHandleBytes: 32,
  passkeysPerUser: 20,
  passkeyNameLongest: 64,
  /** How many client addresses an account remembers. */
  knownAddresses: 20,
  attemptsPerCode: 5,
  /** How many changes of the email may be open to an undo at once. */
  emailUndoWindows: 3,
  emailChangesADay: 5,
  /** The wrong codes from one client network after which an email's verification is locked for that network. */
  networkWrongCodesADay: 10,
  /** The wrong codes from all networks after which it is locked for all. */
  wrongCodesADay: 60,
  /** Mails with codes to one email. */
  codeMailsADay: 60,
  /** Of these mails, those that one client network caused. */
  networkCodeMailsADay: 20,
  /** Of these mails, those that registrations and sign-ins sent without a request for a code. */
  unaskedCodeMailsADay: 20,
  /** The resend allowance of an account, which also counts codes sent by sign-in and repeated registration. */
  resendLimit: rateLimitBuckets.resend.requests,
  displayNameLongest: 100,
  /** Time steps of 30 seconds by which a code may be early or late. */
  totpWindow: 1,
  wrongTotpInRow: 5,
  wrongTotpADay: 10,
  recoveryCodes: 10,
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  entitlementObjectLongest: 16_384,
  /** Pixels per side, and in all. */
  avatarSideLongest: 4_096,
  avatarPixelsMost: 16_000_000,
  /** Uploads under way: their number for one user, and their bytes in a whole process. */
  avatarUploadsPerUser: 2,
  avatarUploadBytes: 67_108_864,
  /** How many domains a user may remove within `formerDomainLifeMs`. */
  domainsRemembered: 50,
  /** Daily look-ups in a row without the record after which a domain is no longer verified. */
  domainFailedDays: 7,
  adminPageDefault: 50,
  adminPageLongest: 200,
  /** Users, or rows of the audit log, that one search by an operator reads. */
  readsPerSearch: 5_000,
};

/** The settings of all account rules. */
export interface AccountsPolicy extends MailBranding, Readonly<typeof lifetimes>, Readonly<typeof limits> {
  /** Whether sessions may be in cookies. */
  readonly cookieSessions: boolean;
  /** Whether operators need a second factor to have more rights than users. */
  readonly operatorsNeedSecondFactor: boolean;
  /** The tier that includes a custom domain. */
  readonly customDomainTier: string;
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
  ...lifetimes,
  ...limits,
  cookieSessions: false,
  operatorsNeedSecondFactor: true,
  customDomainTier: 'enterprise',
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

/** Clocks differ by less than this: a time further ahead was taken before the clock was set back. */
export const CLOCK_SET_BACK_MS = 60_000;
