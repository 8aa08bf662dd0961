import { token } from '../../answer-schemas.ts';
import { invalid } from '../../errors.ts';
import { object, optional, type TypeOf, union } from '../../schema.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { loginKeyClaim } from '../claim-login-keys.ts';
import { consumeCodeMail } from '../code-mail-limits.ts';
import { withNewVerificationCode } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL } from '../email.ts';
import { emailNotVerified, wrongCredentials } from '../errors.ts';
import { rememberAddress } from '../known-address.ts';
import { PASSWORD, rehash } from '../password-rules.ts';
import {
  challengeSubject,
  checkFactor,
  isFactorSubmitted,
  logRefusedFactor,
  readSubmittedFactor,
  SECOND_FACTOR,
  type SubmittedFactor,
} from '../second-factor/check-second-factor.ts';
import {
  newSignInChallenge,
  readPendingSignIn,
  type SignInChallenge,
  signInChallenge,
  spendPendingSignIn,
} from '../second-factor/pending-sign-in.ts';
import type { Method } from '../session.ts';
import {
  openSession,
  type SessionRequest,
  type SignInResult,
  signInResult,
} from '../sessions/open-session.ts';
import { allowanceKeyOf, type ChargeAllowance, hashOptionsFor } from '../throttle-keys.ts';
import { type VerifiedPassword, verifyPassword } from '../verify-password.ts';

export const signInInput = object({
  email: EMAIL,
  password: optional(PASSWORD),
  pendingToken: optional(token('In place of the password: from the answer `requires2FA`')),
  ...SECOND_FACTOR,
});
/** Either `password` or `pendingToken` is required. */
export type SignInInput = TypeOf<typeof signInInput>;

export const signInAnswer = union([signInResult, signInChallenge]);

/** A first factor that was proved. */
interface FirstFactor extends VerifiedPassword {
  /** The id of the pending token that replaced the password; null for a password. */
  readonly pendingId: string | null;
  /** The login key of the identity at a provider; null for a password. */
  readonly key: string | null;
}

const methodOf = ({ key }: FirstFactor): Method => (key === null ? 'password' : 'oidc');

/**
 * Checks the password or the pending token that replaces it. An unknown email costs the same work and gets the same
 * refusal. Throws `invalid` (`password_required`, `code_required`), `unauthenticated` (`wrong_credentials`), and what
 * `verifyPassword` throws.
 */
const proveFirstFactor = async (
  deps: Deps,
  email: string,
  account: Account | undefined,
  input: SignInInput,
  caller: Caller,
): Promise<FirstFactor> => {
  const { clock, digest, log } = deps;
  const fields = { ...(account && { userId: account.id }), ...calledFrom(caller) };
  const logWrong = () =>
    log.info('sign_in.failed', { reason: 'wrong_credentials', factors: ['password'], ...fields });
  if (input.password !== undefined) {
    const logs = { wrong: logWrong, lockedOut: () => log.warn('sign_in.held', fields) };
    const verified = await verifyPassword(deps, { email, account, typed: input.password }, caller, logs);
    return { ...verified, pendingId: null, key: null };
  }
  if (input.pendingToken === undefined) throw invalid('password_required', 'The password is missing.');
  if (!isFactorSubmitted(input)) throw invalid('code_required', 'The two-factor code is missing.');
  const pending = account && readPendingSignIn(digest, account, input.pendingToken, clock.now());
  if (account === undefined || pending === undefined) {
    logWrong();
    throw wrongCredentials();
  }
  return { account, ...pending, passwordToRehash: null };
};

export const makeSignIn = (deps: Deps) => {
  const { accounts, domains, log } = deps;

  return async (
    input: SignInInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<SignInResult | SignInChallenge> => {
    const email = canonicalEmail(domains, input.email);
    const candidate = await accounts.findByEmail(email);
    await charge?.(allowanceKeyOf(deps, email, candidate, caller));
    const firstFactor = await proveFirstFactor(deps, email, candidate, input, caller);
    const { account, passwordToRehash } = firstFactor;
    const fields = { userId: account.id, ...calledFrom(caller) };

    if (!account.verified) {
      log.info('sign_in.failed', {
        reason: 'email_not_verified',
        factors: [methodOf(firstFactor)],
        ...fields,
      });
      await mailNewCode(deps, email, caller);
      throw emailNotVerified(email);
    }
    if (account.twoFactor !== null && !isFactorSubmitted(input)) {
      log.info('sign_in.challenged', { factors: [methodOf(firstFactor)], ...fields });
      // No login key: the first factor was the password, since a pending token without a second factor was refused above.
      return newSignInChallenge(deps, account, null);
    }
    const requirement = {
      purpose: 'second',
      subject: challengeSubject(account),
      verifiesUser: false,
    } as const;
    const secondFactor =
      account.twoFactor === null
        ? undefined
        : await readSubmittedFactor(deps, input, account, requirement, caller);
    const { result, methods } = await completeSignIn(deps, email, firstFactor, secondFactor, caller);
    log.info('sign_in.succeeded', { factors: methods, ...fields });
    if (passwordToRehash !== null)
      await rehash(deps, account, passwordToRehash, hashOptionsFor(deps, email, account, caller));
    return result;
  };
};

/** Mails a new verification code within the allowance of code mails. */
const mailNewCode = async (deps: Deps, email: string, caller: Caller) => {
  const { accounts, change } = deps;
  if (!(await consumeCodeMail(deps, { email, client: caller.client, cause: 'repetition' }))) return;
  await change(
    () => accounts.findByEmail(email),
    (account) => ({
      next: account && !account.verified ? withNewVerificationCode(deps, account) : null,
      answer: undefined,
    }),
  );
};

/**
 * Whether the proof still counts: the session version changes with the password and the second factor, an identity may
 * have been unlinked, the pending token may have been used, and the email may belong to another account now.
 */
const stillProves = ({ account, pendingId, key }: FirstFactor, current: Account): boolean =>
  current.id === account.id &&
  current.sessionEpoch === account.sessionEpoch &&
  (key === null || loginKeyClaim(current, key) !== undefined) &&
  (pendingId === null || !current.spentLogins.some(({ id }) => id === pendingId));

/** Checks the second factor where the account has one, and opens the session. */
const completeSignIn = (
  deps: Deps,
  email: string,
  firstFactor: FirstFactor,
  secondFactor: SubmittedFactor | undefined,
  caller: Caller,
) => {
  const { accounts, change, claimInTurn, clock, policy } = deps;
  const decide = async (account: Account | undefined): Promise<Decision<SessionRequest>> => {
    if (account === undefined || !stillProves(firstFactor, account))
      return { next: null, refuse: wrongCredentials() };
    const now = clock.now();
    const methods: readonly Method[] = [methodOf(firstFactor)];
    const remember = (current: Account) => rememberAddress(deps, current, caller.client);
    // If one is absent, both are: had two-factor authentication been switched on or off meanwhile, `stillProves` would refuse.
    if (account.twoFactor === null || secondFactor === undefined) {
      const next = remember(account);
      return { next: next === account ? null : next, answer: { account: next, methods } };
    }
    const result = await checkFactor(deps, account, account.twoFactor, secondFactor, caller);
    if (result.refuse !== null) return result;
    const spent =
      firstFactor.pendingId === null
        ? result.next
        : spendPendingSignIn(result.next, firstFactor.pendingId, now + policy.pendingTokenLifeMs, now);
    const next = remember(spent);
    return { next, answer: { account: next, methods: [...methods, result.method] } };
  };

  const open = (initialAccount?: Account) =>
    change(
      () => accounts.findByEmail(email),
      async (account) => openSession(deps, await decide(account), caller),
      initialAccount,
    );
  const { account } = firstFactor;
  // Of parallel calls with one code only the first may write a session, since each new session may end the user's oldest.
  const opening = secondFactor === undefined ? open(account) : claimInTurn(account.id, () => open());
  return opening.catch(logRefusedFactor(deps, account.id, caller));
};
