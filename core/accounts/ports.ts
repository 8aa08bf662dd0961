import type { AccessTokenClaims } from '../access-token.ts';
import type { Delivery } from '../outbox.ts';
import type { Account } from './account.ts';
import type { MailTemplate } from './pending.ts';
import type { Session } from './session.ts';

export type { Events } from '../events.ts';
export type { Delivery } from '../outbox.ts';
export type * from './stores.ts';
export type * from './ways-in/flow.ts';
export type { LoginKeyRecord, LoginKeyStore, NamedKey } from './ways-in/login-key.ts';
export type * from './ways-in/passkey.ts';
export type * from './ways-in/provider.ts';

/** On whose behalf a password is hashed. The queue is shared out between accounts and between clients. */
export interface HashedFor {
  /** A digest of the email, whether there is an account or not; another one for an address that its owner uses. */
  readonly account: string;
  /** The client as `Caller` names it. */
  readonly client: string;
}

export interface HashOptions {
  readonly for: HashedFor;
  /** The password before NFKC, of which other products made their hashes; the password itself when not given. */
  readonly typed?: string;
}

/**
 * Password hashes in PHC string form. Throws `unavailable` (`busy`) when its queue is full or the wait too long,
 * `throttled` (`too_many_at_once`) when account or client have as many waiting as each of them may.
 */
export interface PasswordHasher {
  hash(password: string, options: HashOptions): Promise<string>;
  /**
   * Whether the password is the one hashed; `weak` when the hash was made with other parameters than new ones are.
   * Null takes as long as a hash of ours and is never right. So does a hash that is cheaper, whether the password is right
   * or wrong; only what is dearer takes longer.
   */
  verify(
    password: string,
    hash: string | null,
    options: HashOptions,
  ): Promise<{ readonly right: boolean; readonly weak: boolean }>;
  /**
   * Whether it is a hash that `verify` can work with, at a cost that this service bears. Throws `invalid`
   * (`package_missing`), with the line that installs it, where only a package is missing; then `verify` throws
   * `unavailable`.
   */
  accepts(hash: string): boolean;
  /** Whether it is such a one that takes longer than new ones do. */
  isDearer(hash: string): boolean;
}

/** Whether a password is among those that are guessed first. */
export interface PasswordBlocklist {
  /** `own` are words that stand on the list for this password alone, such as its owner's name. */
  has(password: string, own: readonly string[]): Promise<boolean>;
}

/** Access tokens: signed JWTs (RFC 9068). */
export interface AccessTokens {
  /** `now` in epoch milliseconds, `seconds` the life. */
  issue(
    claims: { userId: string; sessionId: string; tokenId: string },
    now: number,
    seconds: number,
  ): Promise<string>;
  /** Undefined for anything that is not a live token of ours in its one spelling. */
  verify(token: string, now: number): Promise<AccessTokenClaims | undefined>;
  /** Drops what is remembered of a session's tokens. */
  forget(sessionId: string): void;
  /** The JWK set (RFC 7517) of public keys to publish now. */
  publicKeys(now: number): Promise<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }>;
}

/** TOTP (RFC 6238): SHA-1, 6 digits, 30 seconds. */
export interface Totp {
  readonly secretBytes: number;
  /** The secret as people type it. */
  base32(secret: Uint8Array): string;
  /** The QR code of its `otpauth:` address as a PNG data URL. */
  qrCode(secret: Uint8Array, accountName: string): Promise<string>;
  /** The time step the code belongs to, from `window` steps before to after `now`; undefined when to none. */
  step(secret: Uint8Array, code: string, now: number, window: number): number | undefined;
}

/** Turns a domain name into A-labels (UTS 46); undefined if it is invalid. */
export interface DomainNames {
  toAscii(domain: string): string | undefined;
}

/** The facts of a mail as templates name them: texts on one line, empty where there is nothing to say. */
export type TemplateFacts = Readonly<
  Record<
    | 'productName'
    | 'code'
    | 'minutes'
    | 'left'
    | 'at'
    | 'address'
    | 'replacedAt'
    | 'provider'
    | 'passkey'
    | 'supportUrl',
    string
  >
>;

/** A picture that comes with the mail. The HTML shows it by `cid:`. */
export interface InlineImage {
  readonly cid: string;
  readonly type: 'image/png';
  readonly bytes: Uint8Array;
}

/** An operator's own words for a mail. What is null is built in. */
export interface OwnMail {
  readonly text: ((facts: TemplateFacts) => { readonly subject: string; readonly text: string }) | null;
  /** What stands in the frame, as HTML. */
  readonly html: ((facts: TemplateFacts) => string) | null;
}

/** Mails of an operator's own, in place of the built-in ones. */
export interface MailTexts {
  /** Undefined: the mail is built in. */
  find(mail: MailTemplate, language: string): OwnMail | undefined;
  /** Puts HTML around the body of every mail; null: the built-in frame. */
  readonly frame: ((facts: TemplateFacts, body: string) => string) | null;
  /** Shown at the head of the built-in frame, in place of the product's name; null: none. */
  readonly logo: InlineImage | null;
}

/** A mail as it is handed to the provider. */
export interface Message {
  /** Stays the same over all tries, so that a provider may drop a repetition. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** Sent along; the HTML shows them. */
  readonly images: readonly InlineImage[];
}

/** Sends one mail; answers within a deadline of its own and does not throw. */
export interface Mailer {
  send(message: Message): Promise<Delivery>;
}

/** A session with the account it belongs to. */
export interface Presence {
  readonly session: Session;
  readonly account: Account;
}

/** Who a session belongs to: what every request with an access token asks. */
export interface Presences {
  /**
   * Both records, ended sessions and tombstones too; undefined where either is missing. May be a second older than the
   * last acknowledged write, never more: what is decided upon and written is read anew from the stores.
   */
  find(userId: string, sessionId: string): Promise<Presence | undefined>;
}

/** Tells all processes which users' records were written, so that they drop cached presences. */
export interface Announcer {
  /** Resolves when it is on its way to the others, or cannot be told now; never rejects. */
  announce(userId: string): Promise<void>;
  /**
   * Calls the listener with each user that is announced, by this process too, and with null where announcements may have
   * been missed.
   */
  onAnnounced(listener: (userId: string | null) => void): void;
  close(): Promise<void>;
}
