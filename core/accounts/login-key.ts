import type { Digest } from '../ports.ts';

/** The record of a credential that may belong to only one account: an identity at a provider, or a passkey. */
export interface LoginKeyRecord {
  /** Made by `identityKey` or `passkeyKey`. */
  readonly key: string;
  readonly userId: string;
  /** The id of the account's claim to the key: a random text, other than those of earlier claims. */
  readonly mark: string;
}

/** The claim to a login key, as its account stores it. The key opens the account only while its record has the same `mark`. */
export type LoginKeyClaim = Pick<LoginKeyRecord, 'key' | 'mark'>;

export const PASSKEY_PREFIX = 'passkey:';

/** The key of an identity: issuer and subject, so that renaming a provider opens nobody else's account. */
export const identityKey = (digest: Pick<Digest, 'sha256'>, issuer: string, subject: string): string =>
  `oidc:${digest.sha256(`${issuer}\n${subject}`)}`;

export const passkeyKey = (digest: Digest, credentialId: string): string =>
  `${PASSKEY_PREFIX}${digest.sha256(credentialId)}`;

/** The records of login keys, one document for each key. */
export interface LoginKeyStore {
  find(key: string): Promise<LoginKeyRecord | undefined>;
  /** Records whose keys begin with `prefix`, in the order of keys, at most `limit`. */
  list(prefix: string, limit: number): Promise<readonly LoginKeyRecord[]>;
  /** False if the key has a record already; then nothing is stored. */
  add(record: LoginKeyRecord): Promise<boolean>;
  /** Replaces the key's stored record if its `mark` is still `expectedMark`. False otherwise. */
  replace(record: LoginKeyRecord, expectedMark: string): Promise<boolean>;
  /** Removes the key's record if it still has this claim's `mark`. */
  remove(claim: LoginKeyClaim): Promise<void>;
}
