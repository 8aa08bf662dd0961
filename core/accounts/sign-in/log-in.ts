import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { canonicalEmail } from '../email.ts';
import { emailNotVerified, wrongCredentials } from '../errors.ts';
import { type Admit, allowanceKeyOf, hashedFor, rememberAddress } from '../guess-keys.ts';
import { namedKey } from '../keys/login-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { Method } from '../session.ts';
import { type LetIn, type LoginAnswer, makeLetIn } from '../sessions/open-session.ts';
import { type LoginChallenge, makeChallenge, spendPendingLogin } from '../sessions/pending-login.ts';
import { takeUnaskedCodeMail, withNewVerificationCode } from './code-mails.ts';
import { type FirstFactor, type FirstProof, makeProveFirstFactor } from './first-factor.ts';
import { challengedIn, type GivenFactor, isFactorGiven, makeTakeFactor } from './given-factor.ts';
import { makeRehash } from './password.ts';
import { logRefusedFactor, makeCheckFactor } from './second-factor.ts';

export interface LogIn extends FirstProof {
  readonly email: string;
}

export const makeLogIn = (kit: Kit) => {
  const { accounts, domains, log } = kit;
  const proveFirst = makeProveFirstFactor(kit);
  const mailNewCode = makeMailNewCode(kit);
  const finish = makeFinish(kit);
  const takeFactor = makeTakeFactor(kit);
  const challenge = makeChallenge(kit);
  const rehash = makeRehash(kit);

  return async (input: LogIn, caller: Caller, admit?: Admit): Promise<LoginAnswer | LoginChallenge> => {
    const email = canonicalEmail(domains, input.email);
    const found = await accounts.findByEmail(email);
    await admit?.(allowanceKeyOf(kit, email, found, caller));
    const first = await proveFirst(email, found, input, caller);
    const { account, weak } = first;
    const from = { userId: account.id, ...calledFrom(caller) };

    if (!account.verified) {
      log.info('sign_in.failed', { reason: 'email_not_verified', factors: [first.method], ...from });
      await mailNewCode(email, caller);
      throw emailNotVerified(email);
    }
    if (account.twoFactor !== null && !isFactorGiven(input)) {
      log.info('sign_in.challenged', { factors: [first.method], ...from });
      return challenge(account);
    }
    const due = { purpose: 'second', of: challengedIn(account), verified: false } as const;
    const given = account.twoFactor === null ? undefined : await takeFactor(input, account, due, caller);
    const { answer, methods } = await finish(email, first, given, caller);
    log.info('sign_in.succeeded', { factors: methods, ...from });
    if (weak !== null) await rehash(account, weak, hashedFor(kit, email, account, caller));
    return answer;
  };
};

/** Mails a new verification code, within the allowance of code mails. */
const makeMailNewCode = (kit: Kit) => async (email: string, caller: Caller) => {
  const { accounts, change } = kit;
  if (!(await takeUnaskedCodeMail(kit, email, caller.client))) return;
  await change(
    () => accounts.findByEmail(email),
    (found) => ({
      next: found && !found.verified ? withNewVerificationCode(kit, found) : null,
      answer: undefined,
    }),
  );
};

/** Checks the second factor where one is on, and opens the session. */
const makeFinish = (kit: Kit) => {
  const { accounts, change, clock, digest, policy } = kit;
  const checkFactor = makeCheckFactor(kit);
  const letIn = makeLetIn(kit);

  /**
   * Whether the proof still counts. The epoch moves with the password and the second factor, an identity may be unlinked,
   * and the email may belong to another account by now.
   */
  const stillProves = ({ account, pendingId, key }: FirstFactor, found: Account): boolean =>
    found.id === account.id &&
    found.sessionEpoch === account.sessionEpoch &&
    (key === null || namedKey(found, key) !== undefined) &&
    (pendingId === null || !found.spentLogins.some(({ id }) => id === pendingId));

  return (email: string, first: FirstFactor, given: GivenFactor | undefined, caller: Caller) => {
    const decide = async (found: Account | undefined): Promise<Decision<LetIn>> => {
      if (found === undefined || !stillProves(first, found))
        return { next: null, refuse: wrongCredentials() };
      const now = clock.now();
      const methods: readonly Method[] = [first.method];
      const remember = (account: Account) => rememberAddress(digest, policy, account, caller.client, now);
      if (found.twoFactor === null || given === undefined) {
        const next = remember(found);
        return { next: next === found ? null : next, answer: { account: next, methods } };
      }
      const checked = await checkFactor(found, found.twoFactor, given, caller);
      if (checked.refuse !== null) return { next: checked.next, refuse: checked.refuse };
      const spent =
        first.pendingId === null
          ? checked.next
          : spendPendingLogin(checked.next, first.pendingId, now + policy.pendingLoginLife, now);
      const next = remember(spent);
      return { next, answer: { account: next, methods: [...methods, checked.method] } };
    };

    return change(
      () => accounts.findByEmail(email),
      async (found) => letIn(await decide(found), caller),
      first.account,
    ).catch(logRefusedFactor(kit, first.account.id, caller));
  };
};
