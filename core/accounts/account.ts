import type { BillingState } from '../billing/index.ts';
import type {
  CustomDomain,
  EmailChange,
  FormerDomain,
  FormerEmail,
  KnownAddress,
  LinkedIdentity,
  OAuthAccount,
  ProviderRegistration,
  ResetCode,
  Restriction,
  SpentLogin,
  TwoFactor,
  VerificationCode,
} from './account-parts.ts';
import { type Access, type Entitlement, FREE } from './entitlement.ts';
import type { Pending } from './pending.ts';
import type { NamedKey } from './ways-in/login-key.ts';
import type { Passkey } from './ways-in/passkey.ts';

export type * from './account-parts.ts';

/**
 * Everything that must change together about one person: one record, one conditional write by `version`. `pending`
 * holds what the change set in motion (mails, audit rows, events), until the relay has moved it on.
 */
export interface Account {
  readonly id: string;
  /** Grows by one with each write. */
  readonly version: number;
  readonly email: string;
  readonly verified: boolean;
  readonly displayName: string | null;
  readonly avatar: string | null;
  /** The time in the path of the newest avatar so far. Later paths have later times, so no path is used twice. */
  readonly avatarAt: number;
  /** Of mails to the user: a primary subtag (RFC 5646). */
  readonly language: string;
  /** PHC string, or null for an account that has only OAuth. */
  readonly passwordHash: string | null;
  /** When it was chosen last, epoch milliseconds; null while it is the one that the account began with. */
  readonly passwordAt: number | null;
  /** When the newest registration of a not yet verified email came in, epoch milliseconds. */
  readonly registeredAt: number;
  /** The same if it replaced an earlier registration, else null. Every mail with a code then says so. */
  readonly replacedAt: number | null;
  readonly verification: VerificationCode | null;
  readonly reset: ResetCode | null;
  /** The change of the email that was asked for last; its code may be over. Null once it is done. */
  readonly emailChange: EmailChange | null;
  /** Emails to which the account can go back, the oldest first. */
  readonly formerEmails: readonly FormerEmail[];
  readonly twoFactor: TwoFactor | null;
  /** A sealed TOTP secret that waits for its first code. */
  readonly twoFactorSetup: string | null;
  /** The session that began the setup, which alone may confirm it; null without a setup. */
  readonly twoFactorSetupBy: { readonly session: string; readonly at: number } | null;
  readonly spentLogins: readonly SpentLogin[];
  /** Sessions begun under an earlier epoch are over, but for the one kept. */
  readonly sessionEpoch: number;
  readonly keptSession: string | null;
  /** The kept session is valid once it has this epoch, too. It gets it together with a new pair of tokens. */
  readonly isKeptRenewed?: true;
  readonly knownAddresses: readonly KnownAddress[];
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  readonly oauthAccounts: readonly LinkedIdentity[];
  /** Its ways in that no other account may have: of identities and passkeys. */
  readonly loginKeys: readonly NamedKey[];
  readonly passkeys: readonly Passkey[];
  /** What passkeys know the account by: 32 random bytes as base64url, made with the first one. */
  readonly passkeyHandle: string | null;
  /** Null for one with a password, and once it is verified. */
  readonly registration: ProviderRegistration | null;
  /** At most one for each service. */
  readonly entitlements: readonly Entitlement[];
  /** What is in effect, as lists and counts see it. */
  readonly access: Access;
  /** Whether the user's own claims counted for the tier in effect; null if there are none. */
  readonly claimsCounted: boolean | null;
  /** What billing knows of the user; null before the first checkout or event. */
  readonly billing: BillingState | null;
  /** When billing is to look again without any event, epoch milliseconds. */
  readonly billingDueAt: number | null;
  readonly customDomain: CustomDomain | null;
  readonly formerDomains: readonly FormerDomain[];
  readonly pending: readonly Pending[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Set on the tombstone that a deleted account leaves; nothing personal is left in it then. */
  readonly deletedAt: number | null;
}

/**
 * The fields that a record of an earlier version lacks, with their values there and in a new account. A new field has
 * its line here.
 */
const ADDED = {
  twoFactorSetupBy: null,
  passwordAt: null,
  emailChange: null,
  formerEmails: [],
  loginKeys: [],
  passkeys: [],
  passkeyHandle: null,
  registration: null,
} as const satisfies Partial<Account>;

/** An account as this version or an earlier one wrote it. */
export type StoredAccount = Omit<Account, keyof typeof ADDED> & Partial<Account>;

const ADDED_NAMES = Object.keys(ADDED);

const isComplete = (stored: StoredAccount): stored is Account =>
  ADDED_NAMES.every((name) => Object.hasOwn(stored, name));

/**
 * Completes a stored account. Every store reads accounts through this, so that a new field needs no migration. One that
 * is complete is returned as it is: a copy of so many fields takes longer than reading the account does.
 */
export const completeAccount = (stored: StoredAccount): Account =>
  isComplete(stored) ? stored : { ...ADDED, ...stored };

/** An identity as people see it: without its login key. */
export const shownIdentity = ({ key: _, ...identity }: LinkedIdentity): OAuthAccount => identity;

/** An account as it begins: unverified, with nothing switched on. */
export const newAccount = (given: {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly language: string;
  readonly passwordHash: string | null;
  readonly now: number;
}): Account => ({
  ...ADDED,
  id: given.id,
  version: 1,
  email: given.email,
  verified: false,
  displayName: given.displayName,
  avatar: null,
  avatarAt: 0,
  language: given.language,
  passwordHash: given.passwordHash,
  registeredAt: given.now,
  replacedAt: null,
  verification: null,
  reset: null,
  twoFactor: null,
  twoFactorSetup: null,
  spentLogins: [],
  sessionEpoch: 0,
  keptSession: null,
  knownAddresses: [],
  banned: null,
  disabled: null,
  oauthAccounts: [],
  loginKeys: [],
  passkeys: [],
  passkeyHandle: null,
  registration: null,
  entitlements: [],
  access: FREE,
  claimsCounted: null,
  billing: null,
  billingDueAt: null,
  customDomain: null,
  formerDomains: [],
  pending: [],
  createdAt: given.now,
  updatedAt: given.now,
  deletedAt: null,
});

/** The tombstone: the id stays, so that nothing that arrives late brings the account back. */
export const tombstone = (account: Account, now: number): Account => ({
  ...newAccount({
    id: account.id,
    email: '',
    displayName: null,
    language: account.language,
    passwordHash: null,
    now,
  }),
  version: account.version,
  createdAt: account.createdAt,
  sessionEpoch: account.sessionEpoch + 1,
  deletedAt: now,
});

/** When an account changes next: later than ever before, so that no two versions that are seen have one time. */
export const nextChange = ({ updatedAt }: Pick<Account, 'updatedAt'>, now: number): number =>
  Math.max(now, updatedAt + 1);

const holds = (restriction: Restriction | null, now: number) =>
  restriction !== null && (restriction.until === null || restriction.until > now);

export const isBanned = (account: Account, now: number): boolean => holds(account.banned, now);
export const isDisabled = (account: Account, now: number): boolean => holds(account.disabled, now);

/** Ends every session of the account except `keep`, in the same write as the change that requires it. */
export const endSessions = ({ isKeptRenewed: _, ...account }: Account, keep: string | null): Account => ({
  ...account,
  sessionEpoch: account.sessionEpoch + 1,
  keptSession: keep,
});

/** The same, and voids the tokens of the kept session, which then gets a new pair. */
export const endTokens = (account: Account, keep: string): Account => ({
  ...endSessions(account, keep),
  isKeptRenewed: true,
});
