import { TRUE } from '../../answer-schemas.ts';
import { type CoreError, invalid } from '../../errors.ts';
import { isoDay } from '../../iso-times.ts';
import { constant, describedAs, integer, list, object, optional, type TypeOf, text } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount, type Decision, findOwnAccount } from '../change-account.ts';
import { withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { isShowable } from '../display-name.ts';
import { invalidToken } from '../errors.ts';
import { passkeyKey } from '../login-key.ts';
import { withPending } from '../outbox-entries.ts';
import type { AccountsPolicy } from '../policy.ts';
import { actingSession, type Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { beginCeremony, openCeremony, sessionSubject, spendCeremony } from './ceremony.ts';
import { credentialOf, PASSKEY_FLOW } from './check-assertion.ts';
import { badPasskey, invalidCeremony, passkeyTaken, tooManyPasskeys } from './errors.ts';
import type { Passkey } from './passkey.ts';
import { type OnePasskey, RP_ID, viewPasskey } from './passkey-view.ts';
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

export const beginPasskeyResult = object(
  { options: creationOptions, flow: BEGUN_FLOW },
  { title: 'BegunPasskey' },
);
/** `flow` must be sent back with the response, unchanged. */
export type BeginPasskeyResult = TypeOf<typeof beginPasskeyResult>;

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
      timeout: policy.passkeyFlowLifeMs,
      excludeCredentials: passkeys.filter(({ rpId }) => rpId === id).map(credentialDescriptor),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    };
    return { options, flow };
  };
};

// Longer texts than the description says are refused by `acceptPasskeyName`, which does not count blanks at the ends.
export const PASSKEY_NAME = text({
  maxLength: 1_000,
  description: '1 to 64 characters',
  examples: ['Phone'],
});

export const registerPasskeyInput = object({
  flow: PASSKEY_FLOW,
  credential: credentialOf('RegistrationResponseJSON'),
  name: optional(describedAs(PASSKEY_NAME, '1 to 64 characters; `Passkey` and the date when absent')),
});
/**
 * The `flow` of the begin call, the `RegistrationResponseJSON` (WebAuthn Level 3), and a name of 1 to 64 characters:
 * `Passkey` and the date if absent.
 */
export type RegisterPasskeyInput = TypeOf<typeof registerPasskeyInput>;

/** Throws `invalid` (`invalid_name`). */
export const acceptPasskeyName = (policy: AccountsPolicy, input: string): string => {
  const name = input.trim();
  const { passkeyNameLongest: longest } = policy;
  if (name === '' || !isShowable(name, longest)) {
    throw invalid('invalid_name', `The name must have 1 to ${longest} characters, no control characters.`);
  }
  return name;
};

export const makeRegisterPasskey = (deps: Deps) => {
  const { clock, digest, entries, keys, log, newId, passkeys, policy } = deps;

  const verifyResponse = async (
    principal: Principal,
    { flow, credential }: RegisterPasskeyInput,
    caller: Caller,
  ) => {
    const refuse = (reason: string, error: CoreError) => {
      log.info('passkey.failed', { reason, userId: principal.user.id, ...calledFrom(caller) });
      return error;
    };
    const { id: rpId } = requireRelyingParty(deps);
    const ceremony = openCeremony(deps, flow, 'register', sessionSubject(principal));
    if (ceremony === undefined) throw refuse('invalid_flow', invalidCeremony());
    const { challenge, handle } = ceremony;
    const algorithms = policy.passkeyAlgorithms;
    const created = await passkeys.register(credential, { challenge, rpId, algorithms });
    if ('reason' in created) throw refuse(created.reason, badPasskey());
    if (!(await spendCeremony(deps, ceremony))) throw refuse('replayed', invalidCeremony());
    return { ...created, rpId, handle };
  };

  return async (principal: Principal, input: RegisterPasskeyInput, caller: Caller): Promise<OnePasskey> => {
    const acceptedName = input.name === undefined ? undefined : acceptPasskeyName(policy, input.name);
    const { handle, ...created } = await verifyResponse(principal, input, caller);
    const now = clock.now();
    const name = acceptedName ?? `Passkey ${isoDay(now)}`;
    const passkey: Passkey = {
      ...created,
      id: newId(),
      name,
      createdAt: now,
      addedBy: actingSession(principal.session),
      lastUsedAt: null,
      refusedAt: null,
    };

    const decide = async (account: Account): Promise<Decision<Passkey>> => {
      // Only accounts with a verified email have passkeys.
      if (!account.verified) return { next: null, refuse: invalidToken() };
      const { passkeyHandle, passkeys: others } = account;
      // A concurrent first passkey has set the account's user handle; this passkey was made for another handle.
      if ((passkeyHandle ?? handle) !== handle) return { next: null, refuse: invalidCeremony() };
      if (others.some(({ credentialId }) => credentialId === passkey.credentialId))
        return { next: null, refuse: passkeyTaken() };
      if (others.length >= policy.passkeysPerUser)
        return { next: null, refuse: tooManyPasskeys(policy.passkeysPerUser) };
      const loginKey = await keys.claim(account, passkeyKey(digest, passkey.credentialId));
      if (loginKey === 'taken') return { next: null, refuse: passkeyTaken() };
      const next = withPending(
        {
          ...withKey(account, loginKey),
          passkeys: [...others, passkey],
          passkeyHandle: handle,
          updatedAt: now,
        },
        entries.ownAudit(account.id, 'passkey.added', caller, { after: { passkey: passkey.id } }),
        entries.notice(account, 'passkey-added', caller, { passkey: passkey.name }),
      );
      return { next, answer: passkey };
    };

    const added = await changeOwnAccount(deps, principal, decide);
    log.info('passkey.added', { userId: principal.user.id, ...calledFrom(caller) });
    return { passkey: viewPasskey(added) };
  };
};
