import { constant, integer, list, object, oneOf, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { passkeysOff } from './errors.ts';
import type { Passkey, RelyingParty } from './passkey.ts';
import { CREDENTIAL_ID, RP_ID, TRANSPORTS } from './passkey-view.ts';

const namedCredential = object(
  { type: constant('public-key'), id: CREDENTIAL_ID, transports: TRANSPORTS },
  { title: 'NamedCredential' },
);
/** A credential descriptor (WebAuthn Level 3, section 5.8.3). */
type CredentialDescriptor = TypeOf<typeof namedCredential>;
export const NAMED_CREDENTIALS = list(namedCredential);

export const PASSKEY_CHALLENGE = text({
  description: '32 random bytes',
  examples: ['_N-8gLsD7Mr1bDVQ2mc9Iv0XnXHb0c5F2yZrXg8kZ0s'],
});
export const TIMEOUT = integer({ description: 'Milliseconds', minimum: 0, examples: [300_000] });
export const BEGUN_FLOW = text({
  description: 'To be sent back with the answer, unchanged; valid for 5 minutes',
  examples: ['c2VhbGVk'],
});

const passkeyRequestOptions = object(
  {
    challenge: PASSKEY_CHALLENGE,
    rpId: RP_ID,
    timeout: TIMEOUT,
    allowCredentials: NAMED_CREDENTIALS,
    userVerification: oneOf(['required', 'preferred'], { examples: ['required'] }),
  },
  {
    title: 'PasskeyRequestOptions',
    description: '`PublicKeyCredentialRequestOptionsJSON`, for `navigator.credentials.get()`',
  },
);
type RequestOptions = TypeOf<typeof passkeyRequestOptions>;

export const passkeyRequest = object(
  { options: passkeyRequestOptions, flow: BEGUN_FLOW },
  { title: 'AskedPasskey' },
);
/** A challenge for an existing passkey. `flow` must be sent back with the response, unchanged. */
export type PasskeyRequest = TypeOf<typeof passkeyRequest>;

export const credentialDescriptor = ({ credentialId, transports }: Passkey): CredentialDescriptor => ({
  type: 'public-key',
  id: credentialId,
  transports,
});

/** Throws `missing` (`passkeys_off`). */
export const requireRelyingParty = ({ passkeys }: Pick<Deps, 'passkeys'>): RelyingParty => {
  if (passkeys.relyingParty === null) throw passkeysOff();
  return passkeys.relyingParty;
};

/** The options for a challenge to the account's usable passkeys or, without an account, to any passkey of the site. */
export const requestOptions = (
  deps: Pick<Deps, 'passkeys' | 'policy'>,
  challenge: string,
  account: Account | null,
  userVerification: RequestOptions['userVerification'],
): RequestOptions => ({
  challenge,
  rpId: requireRelyingParty(deps).id,
  timeout: deps.policy.passkeyFlowLifeMs,
  allowCredentials: account === null ? [] : usablePasskeys(deps, account).map(credentialDescriptor),
  userVerification,
});
