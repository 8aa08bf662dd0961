import { CoreError } from '../../errors.ts';
import { type Account, exists } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { type Decision, findOwnAccount } from '../change-account.ts';
import { loginKeyClaim, withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { rememberAddress } from '../known-address.ts';
import { passkeyKey } from '../login-key.ts';
import type { Principal } from '../principal.ts';
import type { Method } from '../session.ts';
import { type OpenedSession, openSession, type SignInResult } from '../sessions/open-session.ts';
import { usablePasskeys } from '../sign-in-methods.ts';
import { beginCeremony, NOBODY, sessionSubject } from './ceremony.ts';
import { checkAssertion, type PasskeyAssertion, recordPasskeyUse } from './check-assertion.ts';
import { invalidPasskey, noPasskey } from './errors.ts';
import { type PasskeyRequest, requestOptions, requireRelyingParty } from './request-options.ts';

const METHODS: readonly Method[] = ['passkey'];

/** Issues a challenge to anybody. It reveals nothing about any account. */
export const makeBeginPasskeySignIn = (deps: Deps) => async (): Promise<PasskeyRequest> => {
  requireRelyingParty(deps);
  const { challenge, flow } = beginCeremony(deps, 'login', NOBODY);
  const anyAccount = null;
  return { options: requestOptions(deps, challenge, anyAccount, 'required'), flow };
};

/** Signs in with a passkey that verified its user: that counts as two factors, so no code is required. */
export const makePasskeySignIn = (deps: Deps) => {
  const { accounts, change, digest, keys, log } = deps;

  /** Takes as long for an unknown passkey as for a known one. */
  const findOwner = async (credentialId: string): Promise<Account | undefined> =>
    (await keys.findEvenly(passkeyKey(digest, credentialId)))?.account;

  /** Claims the login key again if a crash left its claim unfinished; undefined if another account has the key now. */
  const withClaimedKey = async (account: Account, key: string): Promise<Account | undefined> => {
    const owner = await keys.find(key);
    if (owner?.claimed === true) return account;
    const claim = await keys.claim(account, key);
    return claim === 'taken' ? undefined : withKey(account, claim);
  };

  const open = async (
    input: PasskeyAssertion,
    caller: Caller,
  ): Promise<OpenedSession & { readonly userId: string }> => {
    requireRelyingParty(deps);
    const requirement = { purpose: 'login', subject: NOBODY, verifiesUser: true, findOwner } as const;
    const asserted = await checkAssertion(deps, input, requirement, caller);
    const { userId, credentialId } = asserted;
    const key = passkeyKey(digest, credentialId);
    const session = await change<OpenedSession>(
      () => accounts.find(userId),
      async (account): Promise<Decision<OpenedSession>> => {
        if (!exists(account) || loginKeyClaim(account, key) === undefined)
          return { next: null, refuse: invalidPasskey() };
        const used = recordPasskeyUse(deps, account, asserted, caller);
        if (used.refuse !== null) return used;
        const owned = await withClaimedKey(used.next, key);
        if (owned === undefined) return { next: null, refuse: invalidPasskey() };
        const next = rememberAddress(deps, owned, caller.client);
        const decision = {
          next: next === account ? null : next,
          answer: { account: next, methods: METHODS },
        };
        return openSession(deps, decision, caller);
      },
    );
    return { ...session, userId };
  };

  return async (input: PasskeyAssertion, caller: Caller): Promise<SignInResult> => {
    const callerFields = calledFrom(caller);
    try {
      const { result, methods, userId } = await open(input, caller);
      log.info('sign_in.succeeded', { factors: methods, userId, ...callerFields });
      return result;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      log.info('sign_in.failed', { reason: error.code, factors: METHODS, ...callerFields });
      // Every refusal of the passkey looks alike, also if the account's sessions ended meanwhile (`wrong_credentials`).
      throw error.kind === 'unauthenticated' ? invalidPasskey() : error;
    }
  };
};

/**
 * Begins a challenge that authenticates the caller again, with user verification. Passkeys that are a second factor beside a
 * password need not ask for a PIN: for those it is required only if all of them have done it before.
 */
export const makeBeginPasskeyProof = (deps: Deps) => {
  const verification = (account: Account) => {
    const isBesidePassword = account.twoFactor !== null && account.passwordHash !== null;
    const doAllVerifyUser = usablePasskeys(deps, account).every(({ userVerified }) => userVerified);
    return isBesidePassword && !doAllVerifyUser ? 'preferred' : 'required';
  };

  return async (principal: Principal): Promise<PasskeyRequest> => {
    requireRelyingParty(deps);
    const account = await findOwnAccount(deps, principal);
    if (usablePasskeys(deps, account).length === 0) throw noPasskey();
    const { challenge, flow } = beginCeremony(deps, 'reauth', sessionSubject(principal));
    return { options: requestOptions(deps, challenge, account, verification(account)), flow };
  };
};
