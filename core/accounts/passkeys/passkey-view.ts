import type { Account } from '../account.ts';
import type { Passkey } from './passkey.ts';

/** A passkey as its owner sees it: without its key. Times are ISO 8601. */
export interface PasskeyView {
  readonly id: string;
  /** The credential id, base64url. */
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  /** To the hour; null before the first use. */
  readonly lastUsedAt: string | null;
  readonly transports: readonly string[];
  /** Whether it is synchronised to other devices of the owner. */
  readonly backedUp: boolean;
  /** Whether it has ever verified its user by PIN or biometrics. Only then it is a sign-in method. */
  readonly userVerified: boolean;
  readonly rpId: string;
  readonly aaguid: string;
}

/** Everything a browser needs to tell authenticators which passkeys are valid (`signalAllAcceptedCredentials`). */
export interface ListedPasskeys {
  readonly passkeys: readonly PasskeyView[];
  /** Null before the first passkey. */
  readonly userHandle: string | null;
  readonly rpId: string;
}

export const viewPasskey = (passkey: Passkey): PasskeyView => ({
  id: passkey.id,
  credentialId: passkey.credentialId,
  name: passkey.name,
  createdAt: new Date(passkey.createdAt).toISOString(),
  lastUsedAt: passkey.lastUsedAt === null ? null : new Date(passkey.lastUsedAt).toISOString(),
  transports: passkey.transports,
  backedUp: passkey.backedUp,
  userVerified: passkey.userVerified,
  rpId: passkey.rpId,
  aaguid: passkey.aaguid,
});

export const viewPasskeys = ({ passkeys }: Account): readonly PasskeyView[] => passkeys.map(viewPasskey);
