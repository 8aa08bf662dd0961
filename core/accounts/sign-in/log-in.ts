import { invalid } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { canonicalEmail } from '../email.ts';
import { emailNotVerified, held, wrongCredentials } from '../errors.ts';
import { hashedFor, knownAddress, passwordTriesKey, rememberAddress } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { DAY } from '../policy.ts';
import type { Method } from '../session.ts';
import {
  type LetIn,
  type LoginAnswer,
  type LoginUser,
  loginUser,
  makeOpenSession,
} from '../sessions/open-session.ts';
import { takeUnaskedCodeMail } from './code-mails.ts';
import { normalPassword } from './password.ts';
import { newPendingLogin, readPendingLogin, spendPendingLogin } from './pending-login.ts';
import type { ReadOnce } from './read-once.ts';
import { makeRehash } from './rehash.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';
import { withNewVerificationCode } from './verification-code.ts';

/** One of `password` and `pendingToken` is needed. */
export interface LogIn {
  readonly email: string;
  readonly password?: string;
  readonly pendingToken?: string;
  /** A TOTP or recovery code; needed on the second call when two-factor authentication is on. */
  readonly verificationCode?: string;
}

export interface LoginChallenge {
  readonly user: LoginUser;
  readonly requires2FA: true;
  readonly pendingToken: string;
  readonly message: string;
}

/**
 * Logs in with email and password, and a second factor where one is on. Throws `unauthenticated`: `wrong_credentials`,
 * `email_not_verified` (a new code is on its way), `invalid_two_factor_code`; `throttled` while held.
 */
export const makeLogIn = (kit: Kit, readOnce: ReadOnce) => {
  const { accounts, change, clock, digest, domains, log, policy } = kit;
  const proveFirst = makeProveFirstFactor(kit, readOnce);
  const checkFactor = makeCheckFactor(kit);
  const openSession = makeOpenSession(kit);
  const rehash = makeRehash(kit);

  /** Begins the session, and writes the account as the login leaves it, only where something changed. */
  const enter = (email: string, first: FirstFactor, code: string | undefined, caller: Caller) => {
    const decide = async (found: Account | undefined): Promise<Decision<LetIn>> => {
      const now = clock.now();
      // The epoch moves with the password and the second factor: what was proved before that proves nothing now. Nor
      // does it for another account, that took the email since.
      const { id, sessionEpoch } = first.account;
      if (found === undefined || found.id !== id || found.sessionEpoch !== sessionEpoch) {
        return { next: null, refuse: wrongCredentials() };
      }
      if (first.pendingId !== null && found.spentLogins.some((spent) => spent.id === first.pendingId)) {
        return { next: null, refuse: wrongCredentials() };
      }
      let next = found;
      const methods: Method[] = [...FIRST];
      if (found.twoFactor !== null && code !== undefined) {
        const checked = await checkFactor(found, found.twoFactor, code);
        if (checked.refuse !== null) return { next: checked.next, refuse: checked.refuse };
        next = checked.next;
        methods.push(checked.method);
        if (first.pendingId !== null) {
          next = spendPendingLogin(next, first.pendingId, now + policy.pendingLoginLife, now);
        }
      }
      next = rememberAddress(digest, policy, next, caller.client, now);
      return { next: next === found ? null : next, answer: { account: next, methods } };
    };
    let read: Account | undefined = first.account;
    const find = async () => {
      const account = read ?? (await accounts.findByEmail(email));
      read = undefined;
      return account;
    };
    return openSession(find, decide, caller);
  };

  return async (input: LogIn, caller: Caller): Promise<LoginAnswer | LoginChallenge> => {
    const email = canonicalEmail(domains, input.email);
    const first = await proveFirst(email, input, caller);
    const { account } = first;

    if (!account.verified) {
      const from = { userId: account.id, ...calledFrom(caller) };
      log.info('login.failed', { reason: 'email_not_verified', ...from });
      if (await takeUnaskedCodeMail(kit, email, caller.client)) {
        await change(
          () => accounts.findByEmail(email),
          (found) => ({
            next: found && !found.verified ? withNewVerificationCode(kit, found) : null,
            answer: undefined,
          }),
        );
      }
      throw emailNotVerified(email);
    }
    if (account.twoFactor !== null && input.verificationCode === undefined) {
      log.info('login.challenged', { userId: account.id, factors: FIRST, ...calledFrom(caller) });
      return {
        user: loginUser(account),
        requires2FA: true,
        pendingToken: newPendingLogin(kit, account, clock.now() + policy.pendingLoginLife),
        message: 'Send the code of your authenticator app to finish the login.',
      };
    }
    const { answer, methods } = await enter(email, first, input.verificationCode, caller).catch(
      logRefusedFactor(kit, account.id, caller),
    );
    log.info('login.succeeded', { userId: account.id, factors: methods, ...calledFrom(caller) });
    if (first.weak !== null) await rehash(account, first.weak, hashedFor(kit, email, account, caller));
    return answer;
  };
};

/** A pending token stands for the password that was right before. */
const FIRST: readonly Method[] = ['password'];

interface FirstFactor {
  readonly account: Account;
  /** The spent token's id, when one stood in for the password. */
  readonly pendingId: string | null;
  /** The password, when its hash was made with other parameters. */
  readonly weak: string | null;
}

/** Password or pending token: the same work and the same answer whether the email is known or not. */
const makeProveFirstFactor = (kit: Kit, readOnce: ReadOnce) => {
  const { clock, digest, hasher, log, policy, tries } = kit;

  const failed = (account: Account | undefined, caller: Caller) => {
    log.info('login.failed', { reason: 'wrong_credentials', ...userOf(account), ...calledFrom(caller) });
    return wrongCredentials();
  };

  return async (email: string, input: LogIn, caller: Caller): Promise<FirstFactor> => {
    const account = await readOnce.again(email, caller);
    const now = clock.now();
    if (input.password === undefined) {
      if (input.pendingToken === undefined) {
        throw invalid('password_required', 'The password is missing.');
      }
      if (input.verificationCode === undefined)
        throw invalid('code_required', 'The two-factor code is missing.');
      const pendingId = account && readPendingLogin(digest, account, input.pendingToken, now);
      if (account === undefined || pendingId === undefined) {
        throw failed(account, caller);
      }
      return { account, pendingId, weak: null };
    }
    const password = normalPassword(input.password, policy.passwordLongest);
    const known = account && knownAddress(digest, policy, account, caller.client, now);
    const key = passwordTriesKey(digest, email, known);
    const counted = await tries.find(key, now);
    const refuseHeld = (firstAt: number) => {
      log.warn('login.held', { ...userOf(account), ...calledFrom(caller) });
      return held('login_held', firstAt + DAY, clock.now());
    };
    if (counted !== undefined && counted.count >= policy.wrongPasswordsADay)
      throw refuseHeld(counted.firstAt);
    const options = hashedFor(kit, email, account, caller);
    const { right, weak } = await hasher.verify(password, account?.passwordHash ?? null, options);
    if (account === undefined || !right) {
      const refusal = failed(account, caller);
      const wrong = await tries.add(key, DAY, clock.now());
      throw wrong.count > policy.wrongPasswordsADay ? refuseHeld(wrong.firstAt) : refusal;
    }
    return { account, pendingId: null, weak: weak ? password : null };
  };
};

const userOf = (account: Account | undefined) => (account === undefined ? {} : { userId: account.id });
