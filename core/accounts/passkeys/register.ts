import { CoreError, invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import { makeCeremonies, sessionOf } from '../ceremonies/ceremony.ts';
import { type NamedCredential, namedCredential, siteOf } from '../ceremonies/options.ts';
import type { Decision } from '../change-account.ts';
import { isShowable } from '../display-name.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { makeLoginKeys, withKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import type { AccountsPolicy } from '../policy.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { passkeyKey } from '../ways-in/login-key.ts';
import type { CredentialJson, Passkey } from '../ways-in/passkey.ts';
import { badPasskey, invalidFlow, passkeyTaken, tooManyPasskeys } from './errors.ts';
import { type PasskeyView, viewPasskey } from './views.ts';

/** `PublicKeyCredentialCreationOptionsJSON`: what `navigator.credentials.create()` takes. */
export interface CreationOptions {
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly challenge: string;
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  /** Milliseconds. */
  readonly timeout: number;
  readonly excludeCredentials: readonly NamedCredential[];
  readonly authenticatorSelection: {
    readonly residentKey: 'preferred';
    readonly userVerification: 'preferred';
  };
  readonly attestation: 'none';
  readonly extensions: { readonly credProps: true };
}

export interface BegunPasskey {
  readonly options: CreationOptions;
  /** To be sent back with the answer, unchanged. */
  readonly flow: string;
}

export interface RegisterPasskey {
  readonly flow: string;
  /** `RegistrationResponseJSON` (WebAuthn Level 3). */
  readonly credential: CredentialJson;
  /** 1 to 64 characters; `Passkey` and the date when absent. */
  readonly name?: string;
}

/** Throws `invalid` (`invalid_name`). */
export const acceptPasskeyName = (policy: AccountsPolicy, given: string): string => {
  const name = given.trim();
  const { passkeyNameLongest: longest } = policy;
  if (name === '' || !isShowable(name, longest)) {
    throw invalid('invalid_name', `The name must have 1 to ${longest} characters, no control characters.`);
  }
  return name;
};

/** The options of a new passkey. Nothing is stored until it comes back. */
export const makeBeginPasskey = (kit: Kit) => {
  const { accounts, policy, random } = kit;
  const ceremonies = makeCeremonies(kit);
  const needFresh = makeNeedFresh(kit);

  return async (who: Identity, caller: Caller): Promise<BegunPasskey> => {
    const { id } = siteOf(kit);
    await needFresh(who, caller);
    const account = await accounts.find(who.user.id);
    if (account === undefined || account.deletedAt !== null) throw invalidToken();
    const { passkeys, passkeyHandle, email } = account;
    if (passkeys.length >= policy.passkeysPerUser) throw tooManyPasskeys(policy.passkeysPerUser);
    const handle = passkeyHandle ?? random.text(policy.passkeyHandleBytes);
    const { challenge, flow } = ceremonies.begin('register', sessionOf(who), handle);
    const options: CreationOptions = {
      rp: { id, name: policy.productName },
      user: { id: handle, name: email, displayName: account.displayName ?? email },
      challenge,
      pubKeyCredParams: policy.passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: policy.passkeyFlowLife,
      excludeCredentials: passkeys.filter(({ rpId }) => rpId === id).map(namedCredential),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      extensions: { credProps: true },
    };
    return { options, flow };
  };
};

export const makeRegisterPasskey = (kit: Kit) => {
  const { changeUser, clock, digest, entries, log, newId, passkeys, policy } = kit;
  const ceremonies = makeCeremonies(kit);
  const keys = makeLoginKeys(kit);

  const check = async (who: Identity, { flow, credential }: RegisterPasskey, caller: Caller) => {
    const refuse = (reason: string, error: CoreError) => {
      log.info('passkey.failed', { reason, userId: who.user.id, ...calledFrom(caller) });
      return error;
    };
    const { id: rpId } = siteOf(kit);
    const ceremony = ceremonies.open(flow, 'register', sessionOf(who));
    if (ceremony === undefined) throw refuse('invalid_flow', invalidFlow());
    const { challenge, handle } = ceremony;
    const algorithms = policy.passkeyAlgorithms;
    const made = await passkeys.register(credential, { challenge, rpId, algorithms });
    if ('reason' in made) throw refuse(made.reason, badPasskey());
    if (!(await ceremonies.spend(ceremony))) throw refuse('replayed', invalidFlow());
    return { ...made, rpId, handle };
  };

  return async (
    who: Identity,
    input: RegisterPasskey,
    caller: Caller,
  ): Promise<{ readonly passkey: PasskeyView }> => {
    const given = input.name === undefined ? undefined : acceptPasskeyName(policy, input.name);
    const { handle, ...made } = await check(who, input, caller);
    const now = clock.now();
    const name = given ?? `Passkey ${new Date(now).toISOString().slice(0, 10)}`;
    const passkey: Passkey = {
      ...made,
      ...{ id: newId(), name, createdAt: now, lastUsedAt: null, refusedAt: null },
    };

    const decide = async (account: Account): Promise<Decision<Passkey>> => {
      if (account.sessionEpoch !== who.user.sessionEpoch || !account.verified)
        return { next: null, refuse: invalidToken() };
      const { passkeyHandle, passkeys: others } = account;
      // Another first passkey came in between: this one knows the account by a name that is not its.
      if ((passkeyHandle ?? handle) !== handle) return { next: null, refuse: invalidFlow() };
      if (others.some(({ credentialId }) => credentialId === passkey.credentialId))
        return { next: null, refuse: passkeyTaken() };
      if (others.length >= policy.passkeysPerUser)
        return { next: null, refuse: tooManyPasskeys(policy.passkeysPerUser) };
      const named = await keys.claim(account, passkeyKey(digest, passkey.credentialId));
      const next = withPending(
        { ...withKey(account, named), passkeys: [...others, passkey], passkeyHandle: handle, updatedAt: now },
        entries.audit({
          action: 'passkey.added',
          actor: account.id,
          target: account.id,
          after: { passkey: passkey.id },
          caller,
        }),
        entries.mail(account, 'passkey-added', {
          at: new Date(now).toISOString(),
          address: caller.address,
          passkey: passkey.name,
        }),
      );
      return { next, answer: passkey };
    };

    const added = await changeUser(who.user.id, decide).catch((error: unknown) => {
      throw error instanceof CoreError && error.code === 'login_key_taken' ? passkeyTaken() : error;
    });
    log.info('passkey.added', { userId: who.user.id, ...calledFrom(caller) });
    return { passkey: viewPasskey(added) };
  };
};
