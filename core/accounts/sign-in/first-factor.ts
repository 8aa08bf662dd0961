import { invalid } from '../../errors.ts';
import type { Digest, Random } from '../../ports.ts';
import type { Account } from '../account.ts';
import { held, wrongCredentials } from '../errors.ts';
import { hashedFor, knownAddress, passwordTriesKey } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { DAY } from '../policy.ts';
import type { Method } from '../session.ts';
import { normalPassword } from './password.ts';

/**
 * The first factor, proved, in place of the password at the second call: `<id>.<expiry>.<mark>`. It need not be
 * stored: the mark binds it to the account and its session epoch, which moves with the password and the second factor.
 */
const FORM = /^([A-Za-z0-9_-]{22})\.([0-9]{13})\.([A-Za-z0-9_-]{43})$/;

const material = (account: Account, id: string, expiresAt: string) =>
  `${account.id}:${account.sessionEpoch}:${id}:${expiresAt}`;

/** What the first factor was. */
type First = Extract<Method, 'password' | 'oidc'>;

/** The subkey that marks a token, so that the token itself says what it stands for. */
const MARKS: Readonly<Record<First, string>> = { password: 'pending-login', oidc: 'pending-oidc-login' };
const FIRSTS: readonly First[] = ['password', 'oidc'];

export const newPendingLogin = (
  { digest, random }: { digest: Digest; random: Random },
  account: Account,
  expiresAt: number,
  first: First,
): string => {
  const id = random.text(16);
  const expiry = String(expiresAt).padStart(13, '0');
  return `${id}.${expiry}.${digest.keyed(MARKS[first], material(account, id, expiry))}`;
};

/** Its id, and what it stands for, when it is this account's, not expired and not spent. See decision 0013. */
const readPendingLogin = (
  digest: Digest,
  account: Account,
  token: string,
  now: number,
): { readonly pendingId: string; readonly method: First } | undefined => {
  const [, id, expiry, mark] = FORM.exec(token) ?? [];
  if (id === undefined || expiry === undefined || mark === undefined || Number(expiry) <= now)
    return undefined;
  const isMarked = (method: First) =>
    digest.everyKeyed(MARKS[method], material(account, id, expiry)).some((one) => digest.equal(one, mark));
  const method = FIRSTS.find(isMarked);
  if (method === undefined || account.spentLogins.some((spent) => spent.id === id)) return undefined;
  return { pendingId: id, method };
};

/** The account with the token spent; those long expired are forgotten. */
export const spendPendingLogin = (account: Account, id: string, expiresAt: number, now: number): Account => ({
  ...account,
  spentLogins: [...account.spentLogins.filter((spent) => spent.expiresAt > now), { id, expiresAt }],
});

/** One of `password` and `pendingToken` is needed. */
export interface FirstProof {
  readonly password?: string;
  readonly pendingToken?: string;
  /** A TOTP or recovery code; needed on the second call when two-factor authentication is on. */
  readonly verificationCode?: string;
}

/** The first factor, proved. */
export interface FirstFactor {
  readonly account: Account;
  readonly method: First;
  /** The id of the pending token that stood in for the password; null for a password. */
  readonly pendingId: string | null;
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
    if (input.verificationCode === undefined) {
      throw invalid('code_required', 'The two-factor code is missing.');
    }
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
      return { account, method: 'password', pendingId: null, weak: weak ? password : null };
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
