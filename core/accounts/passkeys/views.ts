import type { Account } from '../account.ts';
import type { Passkey } from '../ways-in/passkey.ts';

/** A passkey as its owner sees it: without its key. Times are ISO 8601. */
export interface PasskeyView {
  readonly id: string;
  /** Base64url, as browsers name it. */
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: string;
  /** To the hour; null before the first use. */
  readonly lastUsedAt: string | null;
  readonly transports: readonly string[];
  /** Whether its owner's other devices have it, too. */
  readonly backedUp: boolean;
  /** Whether it ever showed that it asks for a PIN or a fingerprint. Only then it is a way to sign in. */
  readonly userVerified: boolean;
  readonly rpId: string;
  readonly aaguid: string;
}

/** All that a browser needs to tell its passkeys which of them are good (`signalAllAcceptedCredentials`). */
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
