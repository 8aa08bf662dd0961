/** A passkey as its account stores it (WebAuthn Level 3). Texts of bytes are unpadded base64url. */
export interface Passkey {
  readonly id: string;
  readonly credentialId: string;
  /** The public key as COSE (RFC 9052). */
  readonly key: string;
  /** The key's algorithm, such as -7 for ES256 (IANA COSE Algorithms). */
  readonly algorithm: number;
  /** The highest signature counter so far; 0 from authenticators without a counter. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it may be backed up to other devices, and whether it is. */
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  /** Whether it has ever verified its user by PIN or biometrics. Until then it is no sign-in method. */
  readonly userVerified: boolean;
  /** The RP ID for which it was created. */
  readonly rpId: string;
  readonly aaguid: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The session that added it; absent if an earlier version of the product did. */
  readonly addedBy?: string;
  readonly lastUsedAt: number | null;
  /** When the passkey was found to be cloned; it is refused since then. */
  readonly refusedAt: number | null;
}

/** The relying party of the settings. */
export interface RelyingParty {
  /** A host name. */
  readonly id: string;
  /** The origins of its pages and apps; some may lie outside the host. */
  readonly origins: readonly string[];
}

/** A response of `navigator.credentials.create()` or `get()` as `toJSON()` returns it. */
export type CredentialJson = Readonly<Record<string, unknown>>;

/** What every response must match. */
export interface PasskeyExpectation {
  /** The challenge that was sent, base64url. */
  readonly challenge: string;
  readonly rpId: string;
}

/** What a registration response says about its passkey. */
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

/** The data of an assertion. The counter and the two backup flags are not checked yet. */
export type ShownPasskey = Pick<Passkey, 'counter' | 'backupEligible' | 'backedUp' | 'userVerified'>;

/** Why a response is invalid: a word for the log. */
export interface PasskeyRefused {
  readonly reason: 'malformed' | 'challenge' | 'origin' | 'framed' | 'algorithm' | 'not_proved';
}

/** Verifies responses of authenticators (WebAuthn Level 3, sections 7.1 and 7.2). */
export interface Passkeys {
  /** Null if passkeys are off; then nothing else is called. */
  readonly relyingParty: RelyingParty | null;
  /** `algorithms` lists the accepted algorithms of the key. */
  register(
    answer: CredentialJson,
    expectation: PasskeyExpectation & { readonly algorithms: readonly number[] },
  ): Promise<NewPasskey | PasskeyRefused>;
  /** Requires user presence; ignores the counter. */
  assert(
    answer: CredentialJson,
    expectation: PasskeyExpectation & Pick<Passkey, 'key'>,
  ): Promise<ShownPasskey | PasskeyRefused>;
}
