import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import { held, wrongCredentials } from '../errors.ts';
import { hashedFor, knownAddress, passwordTriesKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { DAY } from '../policy.ts';
import { type First, readPendingLogin } from '../sessions/pending-login.ts';
import { isFactorGiven, type SecondProof } from './given-factor.ts';
import { normalPassword } from './password.ts';

/** One of `password` and `pendingToken` is needed. */
export interface FirstProof extends SecondProof {
  readonly password?: string;
  readonly pendingToken?: string;
}

/** The first factor, proved. */
export interface FirstFactor {
  readonly account: Account;
  readonly method: First;
  /** The id of the pending token that stood in for the password; null for a password. */
  readonly pendingId: string | null;
  /** The login key of the identity that was shown; null for a password. */
  readonly key: string | null;
  /** The password when its hash has other parameters than the standard, to be hashed anew; else null. */
  readonly weak: string | null;
}

const idOf = (account: Account | undefined) => (account === undefined ? {} : { userId: account.id });

/**
 * Checks the password, or the pending token in its place. An unknown email takes the same work and gets the same
 * refusal. Throws `invalid` (`password_required`, `code_required`), `unauthenticated` (`wrong_credentials`),
 * `throttled` (`login_held`).
 */
export const makeProveFirstFactor = (kit: Kit) => {
  const { clock, digest, hasher, log, policy, tries } = kit;

  const failed = (account: Account | undefined, caller: Caller) => {
    const from = { ...idOf(account), ...calledFrom(caller) };
    log.info('sign_in.failed', { reason: 'wrong_credentials', factors: ['password'], ...from });
    return wrongCredentials();
  };

  const provePending = (account: Account | undefined, input: FirstProof, caller: Caller): FirstFactor => {
    if (input.pendingToken === undefined) throw invalid('password_required', 'The password is missing.');
    if (!isFactorGiven(input)) throw invalid('code_required', 'The two-factor code is missing.');
    const pending = account && readPendingLogin(digest, account, input.pendingToken, clock.now());
    if (account === undefined || pending === undefined) throw failed(account, caller);
    return { account, ...pending, weak: null };
  };

  const provePassword = async (
    email: string,
    account: Account | undefined,
    given: string,
    caller: Caller,
  ): Promise<FirstFactor> => {
    const now = clock.now();
    const password = normalPassword(given, policy.passwordLongest);
    const known = account && knownAddress(digest, policy, account, caller.client, now);
    const key = passwordTriesKey(digest, email, known);
    const refuseHeld = (firstAt: number) => {
      log.warn('sign_in.held', { ...idOf(account), ...calledFrom(caller) });
      return held('login_held', firstAt + DAY, clock.now());
    };
    const counted = await tries.find(key, now);
    if (counted !== undefined && counted.count >= policy.wrongPasswordsADay) {
      throw refuseHeld(counted.firstAt);
    }
    const options = { ...hashedFor(kit, email, account, caller), typed: given };
    const { right, weak } = await hasher.verify(password, account?.passwordHash ?? null, options);
    if (account !== undefined && right) {
      return { account, method: 'password', pendingId: null, key: null, weak: weak ? password : null };
    }
    const refusal = failed(account, caller);
    const wrong = await tries.add(key, DAY, clock.now());
    throw wrong.count > policy.wrongPasswordsADay ? refuseHeld(wrong.firstAt) : refusal;
  };

  return async (
    email: string,
    account: Account | undefined,
    input: FirstProof,
    caller: Caller,
  ): Promise<FirstFactor> =>
    input.password === undefined
      ? provePending(account, input, caller)
      : provePassword(email, account, input.password, caller);
};
