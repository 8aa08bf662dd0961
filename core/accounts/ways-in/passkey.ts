/** A passkey as its account keeps it (WebAuthn Level 3). Texts of bytes are unpadded base64url. */
export interface Passkey {
  readonly id: string;
  readonly credentialId: string;
  /** The public key as COSE (RFC 9052). */
  readonly key: string;
  /** Of the key, such as -7 for ES256 (IANA COSE Algorithms). */
  readonly algorithm: number;
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it may be copied to other devices, and whether it was. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  /** Whether it ever showed that it asked for a PIN or a fingerprint. Until then it is no way to sign in. */
  readonly userVerified: boolean;
  /** The RP ID for which it was made. */
  readonly rpId: string;
  readonly aaguid: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** When it was found copied, though it may not be: it is refused since. */
  readonly refusedAt: number | null;
}

/** The site for which passkeys are made, as the settings name it. */
export interface RelyingParty {
  /** A host name. */
  readonly id: string;
  /** Where its pages and apps are; some may lie outside the host. */
  readonly origins: readonly string[];
}

/** An answer of `navigator.credentials.create()` or `get()` as `toJSON()` gives it. */
export type CredentialJson = Readonly<Record<string, unknown>>;

/** What is asked of any answer. */
export interface PasskeyAsked {
  /** The challenge that was sent, base64url. */
  readonly challenge: string;
  readonly rpId: string;
}

/** What a new passkey says of itself. */
export type NewPasskey = Pick<
  Passkey,
  | 'credentialId'
  | 'key'
  | 'algorithm'
  | 'counter'
  | 'transports'
  | 'backupEligible'
  | 'backedUp'
  | 'userVerified'
  | 'aaguid'
>;

/** What a passkey shows by an answer. The counter and the two flags of copies are not judged yet. */
export type ShownPasskey = Pick<Passkey, 'counter' | 'backupEligible' | 'backedUp' | 'userVerified'>;

/** Why an answer proves nothing: a word for the log. */
export interface PasskeyRefused {
  readonly reason: 'malformed' | 'challenge' | 'origin' | 'framed' | 'algorithm' | 'not_proved';
}

/** Checks of what authenticators answer (WebAuthn Level 3, sections 7.1 and 7.2). */
export interface Passkeys {
  /** Null where passkeys are off: nothing else is called then. */
  readonly relyingParty: RelyingParty | null;
  /** `algorithms` are those that the key may be of. */
  register(
    answer: CredentialJson,
    asked: PasskeyAsked & { readonly algorithms: readonly number[] },
  ): Promise<NewPasskey | PasskeyRefused>;
  /** Needs the presence of a user, and does not look at the counter. */
  assert(
    answer: CredentialJson,
    asked: PasskeyAsked & Pick<Passkey, 'key'>,
  ): Promise<ShownPasskey | PasskeyRefused>;
}
