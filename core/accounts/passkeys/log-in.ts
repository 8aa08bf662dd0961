import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import { makeCeremonies, NOBODY } from '../ceremonies/ceremony.ts';
import { makeCheckAssertion, type PasskeyAnswer } from '../ceremonies/check-assertion.ts';
import { invalidPasskey } from '../ceremonies/errors.ts';
import { type AskedPasskey, requestOptions, siteOf } from '../ceremonies/options.ts';
import { makeUsePasskey } from '../ceremonies/use-passkey.ts';
import type { Decision } from '../change-account.ts';
import { rememberAddress } from '../guess-keys.ts';
import { makeLoginKeys, namedKey, withKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { Method } from '../session.ts';
import { type LoginAnswer, makeLetIn, type Opened } from '../sessions/open-session.ts';
import { passkeyKey } from '../ways-in/login-key.ts';

const METHODS: readonly Method[] = ['passkey'];

/** A challenge for whoever comes. It says nothing about anybody. */
export const makeBeginPasskeyLogin = (kit: Kit) => {
  const ceremonies = makeCeremonies(kit);

  return async (): Promise<AskedPasskey> => {
    siteOf(kit);
    const { challenge, flow } = ceremonies.begin('login', NOBODY);
    return { options: requestOptions(kit, challenge, null, 'required'), flow };
  };
};

/**
 * Logs in with a passkey that asked for a PIN or a fingerprint: two factors by itself, so no code is asked for besides.
 * The passkey says whose account it is.
 */
export const makePasskeyLogin = (kit: Kit) => {
  const { accounts, change, clock, digest, log, policy } = kit;
  const checkAssertion = makeCheckAssertion(kit);
  const usePasskey = makeUsePasskey(kit);
  const keys = makeLoginKeys(kit);
  const letIn = makeLetIn(kit);

  const owner = async (credentialId: string): Promise<Account | undefined> =>
    (await keys.find(passkeyKey(digest, credentialId)))?.account;

  /** The account, with a claim that a crash cut in half made good. */
  const claimed = async (account: Account, key: string): Promise<Account> => {
    const found = await keys.find(key);
    return found?.claimed === true ? account : withKey(account, await keys.claim(account, key));
  };

  const open = async (
    input: PasskeyAnswer,
    caller: Caller,
  ): Promise<Opened & { readonly userId: string }> => {
    siteOf(kit);
    const due = { purpose: 'login', of: NOBODY, verified: true, owner } as const;
    const asserted = await checkAssertion(input, due, caller);
    const { userId, credentialId } = asserted;
    const key = passkeyKey(digest, credentialId);
    const opened = await change<Opened>(
      () => accounts.find(userId),
      async (account): Promise<Decision<Opened>> => {
        const isOpen = account?.deletedAt === null && namedKey(account, key) !== undefined;
        if (account === undefined || !isOpen) return { next: null, refuse: invalidPasskey() };
        const used = usePasskey(account, asserted, caller);
        if (used.refuse !== null) return { next: used.next, refuse: used.refuse };
        const owned = await claimed(used.next, key);
        const next = rememberAddress(digest, policy, owned, caller.client, clock.now());
        const decision = {
          next: next === account ? null : next,
          answer: { account: next, methods: METHODS },
        };
        return letIn(decision, caller);
      },
    );
    return { ...opened, userId };
  };

  return async (input: PasskeyAnswer, caller: Caller): Promise<LoginAnswer> => {
    const from = calledFrom(caller);
    try {
      const { answer, methods, userId } = await open(input, caller);
      log.info('sign_in.succeeded', { factors: methods, userId, ...from });
      return answer;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      log.info('sign_in.failed', { reason: error.code, factors: METHODS, ...from });
      // Its sessions ended meanwhile, or the passkey is another account's by now.
      const isNot = error.kind === 'unauthenticated' || error.kind === 'conflict';
      throw isNot ? invalidPasskey() : error;
    }
  };
};
