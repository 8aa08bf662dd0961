import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { loginKeyClaim, withKey } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { rememberAddress } from '../known-address.ts';
import { passkeyKey } from '../login-key.ts';
import type { Method } from '../session.ts';
import { type OpenedSession, openSession, type SignInResult } from '../sessions/open-session.ts';
import { beginCeremony, NOBODY } from './ceremony.ts';
import { checkAssertion, type PasskeyAssertion, recordPasskeyUse } from './check-assertion.ts';
import { invalidPasskey } from './errors.ts';
import { type PasskeyRequest, relyingPartyOf, requestOptions } from './request-options.ts';

const METHODS: readonly Method[] = ['passkey'];

/** Issues a challenge to anybody. It reveals nothing about any account. */
export const makeBeginPasskeySignIn = (deps: Deps) => async (): Promise<PasskeyRequest> => {
  relyingPartyOf(deps);
  const { challenge, flow } = beginCeremony(deps, 'login', NOBODY);
  return { options: requestOptions(deps, challenge, null, 'required'), flow };
};

/**
 * Signs in with a passkey that verified its user. That counts as two factors, so no code is required. The passkey
 * identifies the account.
 */
export const makePasskeySignIn = (deps: Deps) => {
  const { accounts, change, digest, keys, log } = deps;

  const owner = async (credentialId: string): Promise<Account | undefined> =>
    (await keys.findEvenly(passkeyKey(digest, credentialId)))?.account;

  /** The account, with the claim of its login key completed after a crash. */
  const claimed = async (account: Account, key: string): Promise<Account> => {
    const owner = await keys.find(key);
    return owner?.claimed === true ? account : withKey(account, await keys.claim(account, key));
  };

  const open = async (
    input: PasskeyAssertion,
    caller: Caller,
  ): Promise<OpenedSession & { readonly userId: string }> => {
    relyingPartyOf(deps);
    const due = { purpose: 'login', of: NOBODY, verified: true, owner } as const;
    const asserted = await checkAssertion(deps, input, due, caller);
    const { userId, credentialId } = asserted;
    const key = passkeyKey(digest, credentialId);
    const session = await change<OpenedSession>(
      () => accounts.find(userId),
      async (account): Promise<Decision<OpenedSession>> => {
        const isOpen = account?.deletedAt === null && loginKeyClaim(account, key) !== undefined;
        if (account === undefined || !isOpen) return { next: null, refuse: invalidPasskey() };
        const used = recordPasskeyUse(deps, account, asserted, caller);
        if (used.refuse !== null) return used;
        const owned = await claimed(used.next, key);
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
    const from = calledFrom(caller);
    try {
      const { answer, methods, userId } = await open(input, caller);
      log.info('sign_in.succeeded', { factors: methods, userId, ...from });
      return answer;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      log.info('sign_in.failed', { reason: error.code, factors: METHODS, ...from });
      // The account's sessions ended meanwhile, or another account claimed the passkey.
      const isNot = error.kind === 'unauthenticated' || error.kind === 'conflict';
      throw isNot ? invalidPasskey() : error;
    }
  };
};
