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
}
