import type { AccessTokenClaims } from '../access-token.ts';
import type { Statistics } from '../daily-statistics.ts';
import type { Events } from '../events.ts';
import type { KeyValueStore } from '../key-value-store.ts';
import type { Delivery } from '../outbox.ts';
import type { Clock, Digest, Kms, Limiter, Log, Random, Sealer } from '../ports.ts';
import type { Dns, DomainStore } from './custom-domain/domain-record.ts';
import type { Directory } from './directory.ts';
import type { LoginKeyStore } from './login-key.ts';
import type { InlineImage, MailTexts } from './mail/mail-texts.ts';
import type { Passkeys } from './passkeys/passkey.ts';
import type { IdentityProviders } from './providers/identity-provider.ts';
import type {
  AccountStore,
  AttemptsStore,
  AuditStore,
  FlowStore,
  ObjectStore,
  OutboxStore,
  SessionStore,
  SessionWithAccount,
  UserBilling,
  UserFiles,
} from './store-ports.ts';

export type { Events } from '../events.ts';
export type { Delivery } from '../outbox.ts';
export type { LoginKeyClaim, LoginKeyRecord, LoginKeyStore } from './login-key.ts';
export type { InlineImage, MailTexts, OwnMail, TemplateFacts } from './mail/mail-texts.ts';
export type * from './passkeys/passkey.ts';
export type * from './providers/identity-provider.ts';
export type * from './store-ports.ts';

/** The account and the client for which a password is hashed: accounts and clients share the queue fairly. */
export interface HashedFor {
  /** A digest of the email, even if no account has it. Calls from a client address that the owner uses have their own. */
  readonly account: string;
  /** The `client` of the `Caller`. */
  readonly client: string;
}

export interface HashOptions {
  readonly for: HashedFor;
  /** The password before NFKC, which other products may have hashed; the same as the password when absent. */
  readonly typed?: string;
}

/**
 * Password hashes in PHC string form. Throws `unavailable` (`busy`) when the queue is full or the wait too long,
 * `throttled` (`too_many_at_once`) when the account or the client has too many calls waiting.
 */
export interface PasswordHasher {
  hash(password: string, options: HashOptions): Promise<string>;
  /**
   * Whether the password matches the hash, and whether the hash has other parameters than new hashes (`isOutdated`). A null
   * hash never matches. Null and cheaper hashes take as long as a new hash, whether the password matches or not; only costlier
   * hashes take longer.
   */
  verify(
    password: string,
    hash: string | null,
    options: HashOptions,
  ): Promise<{ readonly isCorrect: boolean; readonly isOutdated: boolean }>;
  /**
   * Whether `verify` supports the hash, at an acceptable cost. Throws `invalid` (`package_missing`), with the command that
   * installs it, if only a package is missing; then `verify` throws `unavailable`.
   */
  accepts(hash: string): boolean;
  /**
   * Measures how fast this machine verifies. The resulting function estimates the milliseconds of processor time that
   * `verify` needs for a supported hash.
   */
  measureVerification(): Promise<(hash: string) => number>;
  /** Whether a supported hash takes longer to verify than new hashes. */
  isCostlier(hash: string): boolean;
}

/** The passwords that are guessed first. */
export interface PasswordBlocklist {
  /** Whether the list has the password. `contextWords` count as listed for this call, such as the owner's name. */
  has(password: string, contextWords: readonly string[]): Promise<boolean>;
}

/** Access tokens: signed JWTs (RFC 9068). */
export interface AccessTokens {
  /**
   * Issues a token for the account service or for `audience`. `now` is in epoch milliseconds, `seconds` is the
   * lifetime.
   */
  issue(
    claims: { userId: string; sessionId: string; tokenId: string; audience?: string },
    now: number,
    seconds: number,
  ): Promise<string>;
  /** Undefined unless the text is the canonical form of a valid token for the account service or a configured audience. */
  verify(token: string, now: number): Promise<AccessTokenClaims | undefined>;
  /** Removes a session's tokens from the cache of verified tokens. */
  forget(sessionId: string): void;
  /** The JWK set (RFC 7517) to publish now. */
  publicKeys(now: number): Promise<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }>;
}

/** TOTP (RFC 6238): SHA-1, 6 digits, 30 seconds. */
export interface Totp {
  readonly secretBytes: number;
  /** The secret in base 32, for people to type. */
  base32(secret: Uint8Array): string;
  /** The QR code of the `otpauth:` URI as a PNG data URL. */
  qrCode(secret: Uint8Array, accountName: string): Promise<string>;
  /** The time step of the code, at most `window` steps before or after `now`; undefined if it matches none. */
  step(secret: Uint8Array, code: string, now: number, window: number): number | undefined;
}

/** Turns a domain name into A-labels (UTS 46); undefined if it is invalid. */
export interface DomainNames {
  toAscii(domain: string): string | undefined;
}

/** A mail as it is sent to the provider. */
export interface Message {
  /** Stays the same over all attempts, so that a provider can drop a repeated mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** Attached images, which the HTML shows. */
  readonly images: readonly InlineImage[];
}

/** Sends one mail. Resolves within its own deadline and does not throw. */
export interface Mailer {
  send(message: Message): Promise<Delivery>;
}

/** The cache of sessions with their accounts, which every request with an access token reads. */
export interface SessionCache {
  /**
   * Both records, including ended sessions and tombstones; undefined if either is missing. They are at most a second
   * older than the last acknowledged write, so a decision to write reads them again from the stores.
   */
  find(userId: string, sessionId: string): Promise<SessionWithAccount | undefined>;
}

/** Announces to all processes which users' records were written, so that they drop these from the session cache. */
export interface Announcer {
  /** Resolves when the announcement is sent, or cannot be sent now; never rejects. */
  announce(userId: string): Promise<void>;
  /**
   * Calls the listener with each announced user, including announcements of this process, and with null if announcements
   * may have been missed.
   */
  onAnnounced(listener: (userId: string | null) => void): void;
  close(): Promise<void>;
}

/** The ports of the accounts module. `createAccounts` makes the use cases from them. */
export interface AccountsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly digest: Digest;
  readonly sealer: Sealer;
  readonly kms: Kms;
  readonly limiter: Limiter;
  readonly accounts: AccountStore;
  readonly directory: Directory;
  readonly sessions: SessionStore;
  readonly sessionCache: SessionCache;
  readonly attempts: AttemptsStore;
  readonly objects: ObjectStore;
  readonly userFiles: UserFiles;
  readonly userBilling: UserBilling;
  readonly outbox: OutboxStore;
  readonly audit: AuditStore;
  readonly statistics: Statistics;
  readonly jobResults: KeyValueStore;
  readonly hasher: PasswordHasher;
  readonly blocklist: PasswordBlocklist;
  readonly tokens: AccessTokens;
  readonly totp: Totp;
  readonly domains: DomainNames;
  readonly customDomains: DomainStore;
  readonly passkeys: Passkeys;
  readonly loginKeys: LoginKeyStore;
  readonly flows: FlowStore;
  readonly dns: Dns;
  /** The host of `PUBLIC_URL`, which no user may claim as a custom domain. */
  readonly ownHost: () => string;
  readonly mailer: Mailer;
  readonly mailTexts: MailTexts;
  readonly providers: IdentityProviders;
  readonly events: Events;
  /** Called after a write with pending entries, so that the background work starts at once. */
  readonly wake: () => void;
  /**
   * Resolves after so many milliseconds. Used between two attempts to change a founder: of two processes that do so at the same
   * time, both may fail. Without `delay` they go on trying without a pause.
   */
  readonly delay?: (milliseconds: number) => Promise<void>;
}
