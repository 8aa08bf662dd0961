import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { passkeysOff } from './errors.ts';
import type { Passkey, RelyingParty } from './passkey.ts';

/** A credential descriptor (WebAuthn Level 3, section 5.8.3). */
export interface CredentialDescriptor {
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
  readonly allowCredentials: readonly CredentialDescriptor[];
  readonly userVerification: 'required' | 'preferred';
}

/** A challenge for an existing passkey. */
export interface PasskeyRequest {
  readonly options: RequestOptions;
  /** Must be sent back with the response, unchanged. */
  readonly flow: string;
}

export const credentialDescriptor = ({ credentialId, transports }: Passkey): CredentialDescriptor => ({
  type: 'public-key',
  id: credentialId,
  transports,
});

/** Throws `missing` (`passkeys_off`). */
export const relyingPartyOf = ({ passkeys }: Pick<Deps, 'passkeys'>): RelyingParty => {
  if (passkeys.relyingParty === null) throw passkeysOff();
  return passkeys.relyingParty;
};

export const requestOptions = (
  deps: Pick<Deps, 'passkeys' | 'policy'>,
  challenge: string,
  account: Account | null,
  userVerification: RequestOptions['userVerification'],
): RequestOptions => ({
  challenge,
  rpId: relyingPartyOf(deps).id,
  timeout: deps.policy.passkeyFlowLife,
  allowCredentials: account === null ? [] : usablePasskeys(deps, account).map(credentialDescriptor),
  userVerification,
});
