import type { Digest } from '../../ports.ts';

/** A way in that belongs to one account alone: an identity at a provider, or a passkey. */
export interface LoginKeyRecord {
  /** As `identityKey` and `passkeyKey` make it. */
  readonly key: string;
  readonly userId: string;
  /** A new one with each claim: it tells a claim from one before it. */
  readonly mark: string;
}

/** How an account names a login key. The key opens the account only while the record has the same mark. */
export type NamedKey = Pick<LoginKeyRecord, 'key' | 'mark'>;

/** What the keys of passkeys begin with. */
export const PASSKEY_KEYS = 'passkey:';

/** An identity at a provider, by the issuer and its subject: another name for the provider opens nobody's account. */
export const identityKey = (digest: Pick<Digest, 'sha256'>, issuer: string, subject: string): string =>
  `oidc:${digest.sha256(`${issuer}\n${subject}`)}`;

export const passkeyKey = (digest: Digest, credentialId: string): string =>
  `${PASSKEY_KEYS}${digest.sha256(credentialId)}`;

/** Whose login keys are, one document each, found by the key. */
export interface LoginKeyStore {
  find(key: string): Promise<LoginKeyRecord | undefined>;
  /** Records whose keys begin so, in the order of keys, at most `limit`. */
  list(prefix: string, limit: number): Promise<readonly LoginKeyRecord[]>;
  /** False when there is a record for this key; nothing is stored then. */
  add(record: LoginKeyRecord): Promise<boolean>;
  /** Replaces the key's record if it still has the mark `seen`. False otherwise. */
  replace(record: LoginKeyRecord, seen: string): Promise<boolean>;
  /** Removes the key's record if it still has the mark. */
  remove(named: NamedKey): Promise<void>;
}
