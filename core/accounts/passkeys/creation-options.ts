import { TRUE } from '../../answer-schemas.ts';
import { constant, integer, list, object, type TypeOf, text } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { findOwnAccount } from '../own-account.ts';
import type { Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { beginCeremony, sessionSubject } from './ceremony.ts';
import { tooManyPasskeys } from './errors.ts';
import { RP_ID } from './passkey-view.ts';
import {
  BEGUN_FLOW,
  credentialDescriptor,
  NAMED_CREDENTIALS,
  PASSKEY_CHALLENGE,
  requireRelyingParty,
  TIMEOUT,
} from './request-options.ts';

const creationOptions = object(
  {
    rp: object({ id: RP_ID, name: text({ examples: ['Gatehouse'] }) }),
    user: object({
      id: text({ description: 'What passkeys know the account by', examples: ['aGFuZGxl'] }),
      name: text({ examples: ['ada@example.com'] }),
      displayName: text({ examples: ['Ada Lovelace'] }),
    }),
    challenge: PASSKEY_CHALLENGE,
    pubKeyCredParams: list(
      object({
        type: constant('public-key'),
        alg: integer({ description: 'IANA COSE Algorithms', examples: [-7] }),
      }),
    ),
    timeout: TIMEOUT,
    excludeCredentials: NAMED_CREDENTIALS,
    authenticatorSelection: object({
      residentKey: constant('preferred'),
      userVerification: constant('preferred'),
    }),
    attestation: constant('none'),
    extensions: object({ credProps: TRUE }),
  },
  {
    title: 'PasskeyCreationOptions',
    description: '`PublicKeyCredentialCreationOptionsJSON`, for `navigator.credentials.create()`',
  },
);
type CreationOptions = TypeOf<typeof creationOptions>;

export const passkeyBegun = object({ options: creationOptions, flow: BEGUN_FLOW }, { title: 'BegunPasskey' });
/** `flow` must be sent back with the response, unchanged. */
export type BeginPasskeyResult = TypeOf<typeof passkeyBegun>;

/** Creates the options for a new passkey. Nothing is stored until the response comes. */
export const makeBeginPasskey = (deps: Deps) => {
  const { policy, random } = deps;

  return async (principal: Principal, caller: Caller): Promise<BeginPasskeyResult> => {
    const { id } = requireRelyingParty(deps);
    await requireFresh(deps, principal, caller);
    const account = await findOwnAccount(deps, principal);
    const { passkeys, passkeyHandle, email } = account;
    if (passkeys.length >= policy.passkeysPerUser) throw tooManyPasskeys(policy.passkeysPerUser);
    const handle = passkeyHandle ?? random.text(policy.passkeyHandleBytes);
    const { challenge, flow } = beginCeremony(deps, 'register', sessionSubject(principal), handle);
    const options: CreationOptions = {
      rp: { id, name: policy.productName },
      user: { id: handle, name: email, displayName: account.displayName ?? email },
      challenge,
      pubKeyCredParams: policy.passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: policy.passkeyFlowLife,
      excludeCredentials: passkeys.filter(({ rpId }) => rpId === id).map(credentialDescriptor),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    };
    return { options, flow };
  };
};
