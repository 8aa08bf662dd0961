// The parts of an account's record, without the rules that read and change them.

/** Wrong tries within a fixed window that starts with the first of them. */
export interface Tries {
  readonly count: number;
  readonly firstAt: number;
}

export interface TwoFactor {
  /** When it was switched on, epoch milliseconds; absent where an earlier version did that. */
  readonly at?: number;
  /** When its recovery codes were made anew; absent while they are the first. */
  readonly recoveryAt?: number;
  /** The TOTP secret, sealed by the KMS for this user; null where passkeys alone are the second factor. */
  readonly secret: string | null;
  /** When TOTP joined passkeys that were the second factor before it, epoch milliseconds. */
  readonly totpAt?: number;
  /** Whether its owner chose passkeys as the second factor. Any passkey answers it, chosen or not. */
  readonly passkey?: true;
  /** The last accepted time step; only later ones are accepted (RFC 6238 section 5.2). */
  readonly lastStep: number;
  /** Keyed digests of the recovery codes that are left. */
  readonly recovery: readonly string[];
  /** Digests of the used recovery codes, which tell a second use from a guess. */
  readonly usedRecovery: readonly string[];
  readonly wrongInRow: number;
  readonly heldUntil: number | null;
  readonly wrongToday: Tries | null;
}

/** Set by an operator; over when `until` (epoch milliseconds) has passed. */
export interface Restriction {
  readonly reason: string;
  readonly at: number;
  readonly until: number | null;
}

export interface OAuthAccount {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly email: string | null;
  readonly createdAt: string;
}

/** An account elsewhere as the record holds it. */
export interface LinkedIdentity extends OAuthAccount {
  /** The login key by which it opens this account; absent for one that was imported and is not bound yet. */
  readonly key?: string;
}

/** A sign-up with an identity whose email is still to be verified. Any later registration drops it. */
export interface ProviderRegistration {
  readonly identity: LinkedIdentity & { readonly key: string };
  /** SHA-256 of the token that the client has to show beside the mailed code. */
  readonly tokenDigest: string;
}

/** The domain a user has set; the record of the domain says who else wants it. */
export interface CustomDomain {
  /** In A-labels. */
  readonly domain: string;
  /** What the TXT record must hold. */
  readonly token: string;
  readonly verified: boolean;
  /** When the user first claimed it, epoch milliseconds; older than the token where it was given up in between. */
  readonly claimedAt: number;
}

/** A domain that was given up. */
export interface FormerDomain {
  readonly domain: string;
  readonly claimedAt: number;
  /** Epoch milliseconds. */
  readonly forgetAt: number;
}

/** An address from which the owner has logged in, as a keyed digest. */
export interface KnownAddress {
  readonly digest: string;
  readonly lastAt: number;
}

/** A pending-login token that was used, kept until it would have expired. */
export interface SpentLogin {
  readonly id: string;
  readonly expiresAt: number;
}

/** A code that was sent by mail. Only its keyed digest is kept. */
export interface EmailedCode {
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Wrong tries so far; the code is dropped at the limit. */
  readonly tries: number;
}

/** A verification code, with the time of the registration that it was mailed for. */
export interface VerificationCode extends EmailedCode {
  readonly registeredAt: number;
}

/** A code to reset the password. */
export interface ResetCode extends EmailedCode {
  /**
   * The wrong tries of strangers, where it was asked for from an address that the owner uses: they count apart from
   * those at such addresses then. Null where a stranger asked for it: `tries` has them all.
   */
  readonly strangersTries: number | null;
}

/** A change of the email that its owner asked for: the code went to the new address. */
export interface EmailChange extends EmailedCode {
  /** The new address, canonical. */
  readonly to: string;
  readonly at: number;
  /** The first ask of a row of them within a day: an ask anew moves nothing to before it. */
  readonly since: number;
  /** The session that asked, which alone may confirm it, and the account's session epoch then. */
  readonly session: string;
  readonly epoch: number;
}

/** An email that the account had. The code that was mailed to it takes the change back. */
export interface FormerEmail {
  readonly email: string;
  readonly digest: string;
  /** When the change was asked for: what was added since then goes when it is taken back. */
  readonly askedAt: number;
  /** Until when it can be taken back, epoch milliseconds. */
  readonly until: number;
}
