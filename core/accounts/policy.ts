import { DEFAULT_COLOUR, type Hex } from '../look/index.ts';
import { rateLimitBuckets } from '../rate-limits.ts';
import { defaultTiers } from '../tiers.ts';
import type { SelfEntitlement } from './entitlement.ts';

const minutes = (count: number) => count * 60_000;
const hours = (count: number) => count * 3_600_000;
const days = (count: number) => count * 86_400_000;

/** What mails show of the product around their text. */
export interface MailLook {
  readonly productName: string;
  /** `#rrggbb`. */
  readonly brandColour: Hex;
  /** Linked at the foot; null: not shown. */
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

/** Every number of the account rules. Times are milliseconds unless the name says otherwise. */
export interface AccountsPolicy extends MailLook {
  readonly accessTokenSeconds: number;
  readonly refreshTokenLife: number;
  readonly sessionLife: number;
  /** 0: a used refresh token is always refused. Otherwise a repeat within it gets the same successor. */
  readonly refreshGrace: number;
  /** A second use of a refresh token within it is taken for a racing tab, later for theft. */
  readonly refreshReuseTolerance: number;
  /** How many used refresh tokens a session remembers for that. */
  readonly usedTokensKept: number;
  /** Whether sessions may be kept in cookies. */
  readonly cookieSessions: boolean;
  /** For how long the value of a cookie is good after a proof replaced it. */
  readonly formerCookieLife: number;
  /** How often at most the use of a session in a cookie is written. */
  readonly cookieUseEvery: number;
  /** A session of the console ends after this long unused, and after this long at all. */
  readonly consoleIdle: number;
  readonly consoleLife: number;
  /** How often at most its use is written. */
  readonly consoleUseEvery: number;
  /** For how long a proof of identity is fresh. */
  readonly freshFor: number;
  readonly sessionsPerUser: number;
  readonly passwordShortest: number;
  readonly passwordLongest: number;
  readonly wrongPasswordsADay: number;
  /** For how long a browser may be on its way to a provider and back. */
  readonly tripLife: number;
  /** For how long the code is good that comes back from there, and the ticket for a trip of a session. */
  readonly tripCodeLife: number;
  readonly ticketLife: number;
  /** For how long what came of a trip can still be linked, or signed up with. */
  readonly tripTokenLife: number;
  /** For how long a code of a hand-over is good, and for how long a second use of it is noticed. */
  readonly handoverCodeLife: number;
  readonly handoverWatched: number;
  /** How long ago a provider may have asked a person for it to prove who they are. */
  readonly providerProofAge: number;
  readonly identitiesPerUser: number;
  /** For how long a challenge to a passkey may be answered. */
  readonly passkeyFlowLife: number;
  readonly passkeyChallengeBytes: number;
  /** What passkeys know an account by. */
  readonly passkeyHandleBytes: number;
  /** Of the keys of new passkeys (IANA COSE Algorithms), in the order of our liking. */
  readonly passkeyAlgorithms: readonly number[];
  readonly passkeysPerUser: number;
  readonly passkeyNameLongest: number;
  /** How often at most the use of a passkey is written that has nothing else to say. */
  readonly passkeyUseEvery: number;
  readonly knownAddressLife: number;
  readonly knownAddresses: number;
  readonly verificationCodeLife: number;
  readonly resetCodeLife: number;
  readonly triesPerCode: number;
  /** For how long an owner may take a change of the email back, and how many such times may run at once. */
  readonly emailUndoLife: number;
  readonly emailUndoWindows: number;
  readonly emailChangesADay: number;
  /** Wrong verification codes from one client network, and from all of them, after which an email is held. */
  readonly networkWrongCodesADay: number;
  readonly wrongCodesADay: number;
  /** Mails with codes to an address: that one client network asked for, in all, and of logins and registrations. */
  readonly networkCodeMailsADay: number;
  readonly codeMailsADay: number;
  readonly unaskedCodeMailsADay: number;
  /** The resend allowance of an account, which codes sent by login and registration count in too. */
  readonly resendLimit: number;
  readonly resendSeconds: number;
  readonly unverifiedLife: number;
  readonly displayNameLongest: number;
  /** For how long the session that began the setup of a second factor may confirm it. */
  readonly twoFactorSetupLife: number;
  readonly totpWindow: number;
  readonly wrongTotpInRow: number;
  readonly wrongTotpHold: number;
  readonly wrongTotpADay: number;
  readonly recoveryCodes: number;
  readonly pendingLoginLife: number;
  /** Whether operators without a second factor have no more rights than users. */
  readonly operatorsNeedSecondFactor: boolean;
  /** The addresses at which a trip to a provider, and a hand-over, may end, as whole texts. */
  readonly signInRedirects: readonly string[];
  /** The tiers there are; `free` is what everybody has. */
  readonly tiers: readonly string[];
  readonly selfEntitlement: SelfEntitlement;
  /** Bytes that `accessFlags` and `metadata` may each have as JSON. */
  readonly entitlementObjectLongest: number;
  /** Pixels a side, and in all. */
  readonly avatarSideLongest: number;
  readonly avatarPixelsMost: number;
  /** Uploads under way: of a user, and the bytes that all of a process may hold. */
  readonly avatarUploadsPerUser: number;
  readonly avatarUploadBytes: number;
  /** How old a stored avatar must be before it counts as left behind by a crash. */
  readonly avatarOrphanLife: number;
  /** The tier that comes with a custom domain. */
  readonly customDomainTier: string;
  /** For how long a claim keeps others from claiming the same domain. */
  readonly domainClaimLife: number;
  /** For how long a claim counts that its account does not name yet: far longer than the write of the account takes. */
  readonly domainClaimSettles: number;
  /** How long an account remembers a domain that it gave up, and how many it may give up within that time. */
  readonly domainMemory: number;
  readonly domainsRemembered: number;
  readonly domainLookEvery: number;
  /** When a look-up that the DNS did not answer is repeated. */
  readonly domainLookRetry: number;
  /** Look-ups in a row without the record after which a domain is no longer verified. */
  readonly domainFailedDays: number;
  readonly adminPageDefault: number;
  readonly adminPageLongest: number;
  /** Users, or rows of the audit log, that one search of an operator looks at. */
  readonly listLooks: number;
  readonly mailRetryFirst: number;
  readonly mailRetryLongest: number;
  readonly mailGiveUp: number;
  readonly taskRetryFirst: number;
  /** A task that is refused for good is tried again after as long, too: somebody may have acted. */
  readonly taskRetryLongest: number;
  readonly failedTaskLogEvery: number;
  readonly refusedTaskLogEvery: number;
  /** For how long a checkout that began before its account's deletion may still reach the payment provider. */
  readonly checkoutEnds: number;
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
  usedTokensKept: 16,
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
  tripLife: minutes(10),
  tripCodeLife: minutes(1),
  ticketLife: minutes(1),
  tripTokenLife: minutes(10),
  handoverCodeLife: minutes(1),
  handoverWatched: minutes(10),
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
  triesPerCode: 5,
  emailUndoLife: days(7),
  emailUndoWindows: 3,
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
  wrongTotpHold: minutes(15),
  wrongTotpADay: 10,
  recoveryCodes: 10,
  pendingLoginLife: minutes(5),
  operatorsNeedSecondFactor: true,
  signInRedirects: [],
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
  domainLookEvery: days(1),
  domainLookRetry: hours(1),
  domainFailedDays: 7,
  adminPageDefault: 50,
  adminPageLongest: 200,
  listLooks: 5_000,
  mailRetryFirst: 1_000,
  mailRetryLongest: hours(1),
  mailGiveUp: hours(24),
  taskRetryFirst: 1_000,
  taskRetryLongest: hours(1),
  failedTaskLogEvery: minutes(1),
  refusedTaskLogEvery: hours(1),
  checkoutEnds: minutes(5),
};

/** The length of the window in which wrong tries are counted. */
export const DAY = days(1);

/** A time that lies further ahead than this was taken before the clock was set back. Clocks differ by less. */
export const CLOCK_SET_BACK = 60_000;
