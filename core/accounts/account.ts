import { TIME } from '../answer-schemas.ts';
import type { BillingState } from '../billing/index.ts';
import { nullable, object, type TypeOf, text } from '../schema.ts';
import { type Access, type Entitlement, FREE } from './entitlement.ts';
import type { LoginKeyClaim } from './login-key.ts';
import type { Pending } from './outbox-entries.ts';
import type { Passkey } from './passkeys/passkey.ts';
import { CLOCK_SET_BACK_MS } from './policy.ts';

// The record of an account and its parts, with the functions that create and complete it.

export const AVATAR_EXAMPLE = '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31/avatar_1795284000000.png';

export const AVATAR = nullable(
  text({
    description: 'The path of an uploaded one, or the address of an external one',
    examples: [AVATAR_EXAMPLE],
  }),
);

/** Wrong attempts within a fixed window that starts with the first of them. */
export interface Attempts {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly firstAt: number;
}

/**
 * The latest valid start of a window. It lies a little in the future, since the clock of the process that began the window may
 * be ahead of ours. A window that starts even later was begun before the clock was set back. It must not count: it would lock
 * the account for too long.
 */
export const latestStart = (now: number): number => now + CLOCK_SET_BACK_MS;

export interface TwoFactor {
  /** When it was switched on, epoch milliseconds; absent in records of earlier versions. */
  readonly at?: number;
  /** The session that switched it on; absent in records of earlier versions, or without a session. */
  readonly by?: string;
  /** When the recovery codes were renewed; absent while they are the first. */
  readonly recoveryAt?: number;
  /** The session that renewed them. */
  readonly recoveryBy?: string;
  /** The TOTP secret, sealed by the KMS for this user; null where passkeys alone are the second factor. */
  readonly secret: string | null;
  /** When TOTP was added to passkeys as the second factor, epoch milliseconds. */
  readonly totpAt?: number;
  /** The session that added TOTP. */
  readonly totpBy?: string;
  /** Whether the owner chose passkeys as the second factor. A passkey is accepted as the factor even if not chosen. */
  readonly passkey?: true;
  /** The last accepted time step; only later ones are accepted (RFC 6238 section 5.2). */
  readonly lastStep: number;
  /** Keyed digests of the unused recovery codes. */
  readonly recovery: readonly string[];
  /** Digests of the used recovery codes, which distinguish a second use from a guess. */
  readonly usedRecovery: readonly string[];
  readonly wrongInRow: number;
  /** Until when wrong codes lock the factor, epoch milliseconds; stored under its earlier name. */
  readonly heldUntil: number | null;
  readonly wrongToday: Attempts | null;
}

/** A restriction set by an operator. It ends at `until` (epoch milliseconds), or never if that is null. */
export interface Restriction {
  readonly reason: string;
  readonly at: number;
  readonly until: number | null;
}

export const OAUTH_ACCOUNT = {
  provider: text({ examples: ['google'] }),
  providerAccountId: text({ examples: ['1234567890'] }),
  email: nullable(text({ examples: ['ada@example.com'] })),
  createdAt: TIME,
};
export const oauthAccount = object(OAUTH_ACCOUNT, { title: 'OAuthAccount' });
export type OAuthAccount = TypeOf<typeof oauthAccount>;

/** An identity at a provider as the record holds it. */
export interface LinkedIdentity extends OAuthAccount {
  /** The login key by which it opens this account; absent if it was imported and is not bound yet. */
  readonly key?: string;
  /** The session that linked it; absent if it came with the account, or in records of earlier versions. */
  readonly addedBy?: string;
}

/** A sign-up by an identity whose email is not verified yet. Any later registration removes it. */
export interface ProviderRegistration {
  readonly identity: LinkedIdentity & { readonly key: string };
  /** SHA-256 of the token that the client must send with the mailed code. */
  readonly tokenDigest: string;
}

/** The domain a user has set. The domain's own record holds the claims of all users. */
export interface CustomDomain {
  /** In A-labels. */
  readonly domain: string;
  /** The value that the TXT record must contain. */
  readonly token: string;
  readonly verified: boolean;
  /** When the user first claimed it, epoch milliseconds; earlier than the token if the user gave it up in between. */
  readonly claimedAt: number;
}

/** A domain that the user has removed. */
export interface FormerDomain {
  readonly domain: string;
  readonly claimedAt: number;
  /** Epoch milliseconds. */
  readonly forgetAt: number;
}

/** An address from which the owner has signed in, as a keyed digest. */
export interface KnownAddress {
  readonly digest: string;
  readonly lastAt: number;
}

/** The used token of a sign-in that waited for the second factor. It is stored until it would have expired. */
export interface UsedPendingToken {
  readonly id: string;
  readonly expiresAt: number;
}

/** A code that was sent by mail. Only its keyed digest is stored. */
export interface EmailedCode {
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Wrong attempts so far, stored under their earlier name; the code is deleted at the limit. */
  readonly tries: number;
}

/** A verification code, with the time of the registration for which it was mailed. */
export interface VerificationCode extends EmailedCode {
  readonly registeredAt: number;
}

/** A code to reset the password. */
export interface ResetCode extends EmailedCode {
  /**
   * Wrong attempts from addresses that are not known addresses of the owner. They are counted apart if an operator or somebody
   * at a known address requested the code. Null for any other code: then `tries` counts all attempts.
   */
  readonly strangersTries: number | null;
}

/** A requested change of the email: the code was mailed to the new address. */
export interface EmailChange extends EmailedCode {
  /** The new address, canonical. */
  readonly to: string;
  /** When this request came in, epoch milliseconds. */
  readonly at: number;
  /** When the first of several requests came in, each within a day of the one before. An undo removes methods added since. */
  readonly since: number;
  /** The session of the request, which alone may confirm it. */
  readonly session: string;
  /** The account's session version when the request came in. Once it has changed, the request cannot be confirmed. */
  readonly epoch: number;
}

/** A former email of the account. The code that was mailed to it undoes the change. */
export interface FormerEmail {
  readonly email: string;
  readonly digest: string;
  /**
   * `since` of the requested change, stored under an earlier name. An undo removes every sign-in method that was added from
   * this time on. It also removes methods that were added in the last 30 days before (`emailUndoReachMs`): those that the session
   * `by` added, or any session if `byNewMethod` is set.
   */
  readonly askedAt: number;
  /** Until when the change can be undone, epoch milliseconds. */
  readonly until: number;
  /** The session that changed the email. */
  readonly by?: string;
  /** Present if that session had signed in by a method which another session may have added shortly before. */
  readonly byNewMethod?: true;
}

/** A deletion that can still be undone, by undoing a change of the email. */
export interface WaitingDeletion {
  /** The account before the deletion, sealed. */
  readonly sealed: string;
}

/**
 * All data of one person that must change together: one record, one conditional write by `version`. `pending` holds the
 * outbox entries of the changes (mails, audit rows, events, tasks), until the relay has delivered them.
 */
export interface Account {
  readonly id: string;
  /** Grows by one with each write. */
  readonly version: number;
  readonly email: string;
  readonly verified: boolean;
  readonly displayName: string | null;
  /** The path of a stored avatar, or the URL of an external one. */
  readonly avatar: string | null;
  /** The time in the path of the newest avatar so far. Later paths have later times, so no path is used twice. */
  readonly avatarAt: number;
  /** The language of mails to the user: a primary subtag (RFC 5646). */
  readonly language: string;
  /** PHC string; null for an account without a password. */
  readonly passwordHash: string | null;
  /** When the password was last changed, epoch milliseconds; null while it is the first. */
  readonly passwordAt: number | null;
  /** The session that set or changed the password; null for a password of a registration or set by a mailed code. */
  readonly passwordBy: string | null;
  /** When the newest registration of a not yet verified email came in, epoch milliseconds. */
  readonly registeredAt: number;
  /** `registeredAt` if that registration replaced an earlier one, else null. Mails with a verification code name this time. */
  readonly replacedAt: number | null;
  readonly verification: VerificationCode | null;
  readonly reset: ResetCode | null;
  /** The change of the email that was requested last; its code may be invalid by now. Null after the change. */
  readonly emailChange: EmailChange | null;
  /** Former emails, the oldest first, expired ones included: the next request for a change removes those. */
  readonly formerEmails: readonly FormerEmail[];
  readonly twoFactor: TwoFactor | null;
  /** A sealed TOTP secret that waits for its first code. */
  readonly twoFactorSetup: string | null;
  /** The session that began the setup, which alone may confirm it; null without a setup. */
  readonly twoFactorSetupBy: { readonly session: string; readonly at: number } | null;
  /** Used pending tokens, stored under an earlier name. */
  readonly spentLogins: readonly UsedPendingToken[];
  /** The session version, stored under its earlier name. Sessions with a lower one have ended, except `keptSession`. */
  readonly sessionEpoch: number;
  readonly keptSession: string | null;
  /** Present if the old tokens of `keptSession` are void, too: that session gets `sessionEpoch` together with new tokens. */
  readonly isKeptRenewed?: true;
  readonly knownAddresses: readonly KnownAddress[];
  readonly banned: Restriction | null;
  readonly disabled: Restriction | null;
  readonly oauthAccounts: readonly LinkedIdentity[];
  /** The login keys of identities and passkeys, which no other account may have. */
  readonly loginKeys: readonly LoginKeyClaim[];
  readonly passkeys: readonly Passkey[];
  /** The WebAuthn user handle: 32 random bytes as base64url, made with the first passkey. */
  readonly passkeyHandle: string | null;
  /** Null for an account with a password, and once the email is verified. */
  readonly registration: ProviderRegistration | null;
  /** At most one for each service. */
  readonly entitlements: readonly Entitlement[];
  /** The access in effect, for lists and counts. */
  readonly access: Access;
  /** Whether the user's own claims count for the tier in effect; null without claims. */
  readonly claimsCounted: boolean | null;
  /** The billing state; null before the first checkout or event. */
  readonly billing: BillingState | null;
  /** When billing checks again even without an event, epoch milliseconds. */
  readonly billingDueAt: number | null;
  readonly customDomain: CustomDomain | null;
  readonly formerDomains: readonly FormerDomain[];
  readonly pending: readonly Pending[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Set on the tombstone of a deleted account, which holds no personal data, unless the deletion waits. */
  readonly deletedAt: number | null;
  /** Set only on a tombstone whose account can still be restored. */
  readonly waitingDeletion: WaitingDeletion | null;
}

/**
 * The fields that records of earlier versions lack, with their default values, also for a new account. Every new field that
 * is not optional needs a line here.
 */
const LATER_FIELDS = {
  twoFactorSetupBy: null,
  passwordAt: null,
  passwordBy: null,
  emailChange: null,
  formerEmails: [],
  loginKeys: [],
  passkeys: [],
  passkeyHandle: null,
  registration: null,
  waitingDeletion: null,
} as const satisfies Partial<Account>;

/** An account as this or an earlier version wrote it. */
export type StoredAccount = Omit<Account, keyof typeof LATER_FIELDS> & Partial<Account>;

const LATER_FIELD_NAMES = Object.keys(LATER_FIELDS);

const isComplete = (stored: StoredAccount): stored is Account =>
  LATER_FIELD_NAMES.every((name) => Object.hasOwn(stored, name));

/**
 * Completes a stored account. Every store reads accounts through this, so that a new field needs no migration. A complete
 * account is returned without a copy, which would take longer than reading it.
 */
export const completeAccount = (stored: StoredAccount): Account =>
  isComplete(stored) ? stored : { ...LATER_FIELDS, ...stored };

/** An identity without its login key and the session that linked it, for display. */
export const shownIdentity = ({ key: _, addedBy: __, ...identity }: LinkedIdentity): OAuthAccount => identity;

/** A new account: unverified, with nothing switched on. */
export const newAccount = (fields: {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly language: string;
  readonly passwordHash: string | null;
  readonly now: number;
}): Account => ({
  id: fields.id,
  version: 1,
  email: fields.email,
  verified: false,
  displayName: fields.displayName,
  avatar: null,
  avatarAt: 0,
  language: fields.language,
  passwordHash: fields.passwordHash,
  registeredAt: fields.now,
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
  entitlements: [],
  access: FREE,
  claimsCounted: null,
  billing: null,
  billingDueAt: null,
  customDomain: null,
  formerDomains: [],
  pending: [],
  createdAt: fields.now,
  updatedAt: fields.now,
  deletedAt: null,
  // Comes last: fields that follow a spread are slow to add.
  ...LATER_FIELDS,
});

/** The tombstone of a deleted account: the id stays, so that no late event restores the account. */
export const tombstoneOf = (account: Account, now: number): Account => ({
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

/** The time of an account's next change, always later than that of the last change: operators detect a change by its time. */
export const nextChange = ({ updatedAt }: Pick<Account, 'updatedAt'>, now: number): number =>
  Math.max(now, updatedAt + 1);

const isInForce = (restriction: Restriction | null, now: number) =>
  restriction !== null && (restriction.until === null || restriction.until > now);

export const isBanned = ({ banned }: Pick<Account, 'banned'>, now: number): boolean => isInForce(banned, now);
export const isDisabled = ({ disabled }: Pick<Account, 'disabled'>, now: number): boolean =>
  isInForce(disabled, now);

/** The restriction in force; undefined without one. */
export const restrictionOf = (account: Pick<Account, 'banned' | 'disabled'>, now: number) => {
  if (isBanned(account, now)) return 'account_banned';
  return isDisabled(account, now) ? 'account_disabled' : undefined;
};

/** Ends every session of the account except `keep`, in the same write as the change that requires it. */
export const endSessions = ({ isKeptRenewed: _, ...account }: Account, keep: string | null): Account => ({
  ...account,
  sessionEpoch: account.sessionEpoch + 1,
  keptSession: keep,
});

/** Like `endSessions`, but voids the tokens of the kept session, too. That session then gets a new pair. */
export const endTokens = (account: Account, keep: string): Account => ({
  ...endSessions(account, keep),
  isKeptRenewed: true,
});

/** The former emails to which the account can return now, the oldest first. */
export const restorableEmails = (
  { formerEmails }: Pick<Account, 'formerEmails'>,
  now: number,
): readonly FormerEmail[] => formerEmails.filter(({ until }) => until > now);

/** Whether the account was found and is not the tombstone of a deleted account. */
export const exists = (account: Account | undefined): account is Account =>
  account !== undefined && account.deletedAt === null;

/** Whether the account is deleted for good. A waiting deletion can still be undone. */
export const isFinallyDeleted = ({ deletedAt, waitingDeletion }: Account): boolean =>
  deletedAt !== null && waitingDeletion === null;
