import type { Account } from '../account.ts';
import { usablePasskeys } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import type { Passkey, RelyingParty } from '../ways-in/passkey.ts';
import { passkeysOff } from './errors.ts';

/** A passkey as browsers name it (WebAuthn Level 3, section 5.8.3). */
export interface NamedCredential {
  readonly type: 'public-key';
  readonly id: string;
  readonly transports: readonly string[];
}

/** `PublicKeyCredentialRequestOptionsJSON`: what `navigator.credentials.get()` takes. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly allowCredentials: readonly NamedCredential[];
  readonly userVerification: 'required' | 'preferred';
}

/** A challenge for a passkey that exists. */
export interface AskedPasskey {
  readonly options: RequestOptions;
  /** To be sent back with the answer, unchanged. */
  readonly flow: string;
}

export const namedCredential = ({ credentialId, transports }: Passkey): NamedCredential => ({
  type: 'public-key',
  id: credentialId,
  transports,
});

/** Throws `missing` (`passkeys_off`). */
export const siteOf = ({ passkeys }: Pick<Kit, 'passkeys'>): RelyingParty => {
  if (passkeys.relyingParty === null) throw passkeysOff();
  return passkeys.relyingParty;
};

export const requestOptions = (
  kit: Pick<Kit, 'passkeys' | 'policy'>,
  challenge: string,
  account: Account | null,
  userVerification: RequestOptions['userVerification'],
): RequestOptions => ({
  challenge,
  rpId: siteOf(kit).id,
  timeout: kit.policy.passkeyFlowLife,
  allowCredentials: account === null ? [] : usablePasskeys(kit, account).map(namedCredential),
  userVerification,
});
