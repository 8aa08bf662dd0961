import { type OnlyMessage, token } from '../../answer-schemas.ts';
import { isoTime } from '../../iso-times.ts';
import { object, optional, type TypeOf } from '../../schema.ts';
import type { Account, VerificationCode } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { withKey } from '../claim-login-keys.ts';
import { consumeCodeMail, writeDecoy } from '../code-mail-limits.ts';
import { afterWrongAttempt, matchingDigest, SIX_DIGITS, withNewVerificationCode } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL, isReservedEmail } from '../email.ts';
import { alreadyVerified, emailTaken, invalidCode, wrongCredentials } from '../errors.ts';
import { rememberAddress } from '../known-address.ts';
import { withPending } from '../outbox-entries.ts';
import { normalizePassword, PASSWORD } from '../password-rules.ts';
import type { HashOptions } from '../ports.ts';
import { identityTaken } from '../providers/errors.ts';
import type { Method } from '../session.ts';
import { openSession, type SessionRequest, type SignInResult } from '../sessions/open-session.ts';
import { accountKey, type ChargeAllowance, hashOptionsFor } from '../throttle-keys.ts';
import { makeCodeAttempt } from './verification-attempts.ts';

export const verifyEmailInput = object({
  email: EMAIL,
  code: SIX_DIGITS,
  password: optional(PASSWORD),
  signUpToken: optional(token('Needed for a sign-up with a provider, from the answer `requiresEmail`')),
});
/**
 * `password` is that of the newest registration. It is required if that registration came after the code was mailed: it may be
 * a stranger's, which the owner's code must not verify.
 * `signUpToken`, a token from `providers.exchange`, is required for a registration by an identity at a provider, and accepted
 * for no other.
 */
export type VerifyEmailInput = TypeOf<typeof verifyEmailInput>;

/**
 * Requires, beside the mailed code, the token of a registration by an identity: the owner of the email, who has the code, need
 * not be the owner of the identity. The caller passes `account` without identities. Undefined if the registration has no
 * identity and no token was sent. Throws `unauthenticated` (`wrong_credentials`), and `conflict` (`identity_taken`) if another
 * account has the identity by now.
 */
const verifyRegistration = async (
  { clock, digest, entries, keys }: Pick<Deps, 'clock' | 'digest' | 'entries' | 'keys'>,
  account: Account,
  signUpToken: string | undefined,
  caller: Caller,
): Promise<SessionRequest | undefined> => {
  const { registration } = account;
  if (registration === null && signUpToken === undefined) return undefined;
  if (registration === null || signUpToken === undefined) throw wrongCredentials();
  if (!digest.equal(digest.sha256(signUpToken), registration.tokenDigest)) throw wrongCredentials();
  const identity = { ...registration.identity, createdAt: isoTime(clock.now()) };
  const loginKey = await keys.claim(account, identity.key);
  if (loginKey === 'taken') throw identityTaken();
  const boundAccount = { ...withKey(account, loginKey), registration: null, oauthAccounts: [identity] };
  const after = { provider: identity.provider };
  const row = entries.ownAudit(account.id, 'account.created_by_provider', caller, { after });
  return { account: withPending(boundAccount, row), methods: ['code', 'oidc'] };
};

export const makeVerifyEmail = (deps: Deps) => {
  const { accounts, change, clock, digest, domains, entries, hasher, log, policy } = deps;

  /** The methods by which code and password prove the newest registration; undefined if they do not. */
  const prove = async (
    { passwordHash, registeredAt }: Account,
    code: VerificationCode,
    rawPassword: string | undefined,
    options: HashOptions,
  ): Promise<readonly Method[] | undefined> => {
    if (rawPassword === undefined) return code.registeredAt === registeredAt ? ['code'] : undefined;
    const password = normalizePassword(rawPassword, policy.passwordLongest);
    const { isCorrect } = await hasher.verify(password, passwordHash, { ...options, typed: rawPassword });
    return isCorrect ? ['code', 'password'] : undefined;
  };

  return async (input: VerifyEmailInput, caller: Caller, charge?: ChargeAllowance): Promise<SignInResult> => {
    const email = canonicalEmail(domains, input.email);
    await charge?.(accountKey(digest, email));
    const candidate = await accounts.findByEmail(email);
    const fields = { ...(candidate && { userId: candidate.id }), ...calledFrom(caller) };
    const attempted = { email, userId: candidate?.id, client: caller.client };
    const attempt = makeCodeAttempt(deps, attempted, 'verification.failed', fields);
    await attempt.requireAllowance();

    const redeemCode = async (account: Account | undefined): Promise<Decision<SessionRequest>> => {
      const code = account?.verification ?? null;
      const now = clock.now();
      if (account === undefined || account.verified || code === null || code.expiresAt <= now) {
        // A refusal costs a write, whether the email has an account or not.
        await writeDecoy(deps, email);
        return { next: null, refuse: invalidCode() };
      }
      if (matchingDigest(digest, 'verification', account.id, input.code, [code.digest]) === undefined) {
        return {
          next: { ...account, verification: afterWrongAttempt(code, policy.attemptsPerCode) },
          refuse: invalidCode(),
        };
      }
      const options = hashOptionsFor(deps, account.email, account, caller);
      // Identities imported with an unverified email may belong to a stranger who registered with it elsewhere.
      const withoutIdentities = { ...account, oauthAccounts: [] };
      const byIdentity = await verifyRegistration(deps, withoutIdentities, input.signUpToken, caller);
      const methods = byIdentity?.methods ?? (await prove(account, code, input.password, options));
      if (methods === undefined) return { next: null, refuse: wrongCredentials() };
      // The registration may be older than the deletion of an account that can still return to this email.
      if (await isReservedEmail(deps, email)) return { next: null, refuse: emailTaken() };
      const verified = {
        ...(byIdentity?.account ?? withoutIdentities),
        verified: true,
        verification: null,
        updatedAt: now,
      };
      const next = withPending(
        rememberAddress(deps, verified, caller.client),
        entries.event('user.verified', account.id),
      );
      return { next, answer: { account: next, methods } };
    };

    const { result, methods } = await change(
      () => accounts.findByEmail(email),
      async (account) => openSession(deps, await redeemCode(account), caller),
    ).catch(attempt.countWrong);
    log.info('email.verified', { userId: result.user.id, factors: methods, ...calledFrom(caller) });
    return result;
  };
};

export const resendVerificationInput = object({ email: EMAIL });
export type ResendVerificationInput = TypeOf<typeof resendVerificationInput>;

export const makeResendVerification =
  (deps: Deps) =>
  async (input: ResendVerificationInput, caller: Caller, charge?: ChargeAllowance): Promise<OnlyMessage> => {
    const email = canonicalEmail(deps.domains, input.email);
    await charge?.(accountKey(deps.digest, email));
    const find = () => deps.accounts.findByEmail(email);
    const candidate = await find();
    deps.log.info('verification.asked', {
      ...(candidate && { userId: candidate.id }),
      ...calledFrom(caller),
    });
    if (candidate?.verified) throw alreadyVerified();
    const mailed = await consumeCodeMail(deps, {
      email,
      client: caller.client,
      cause: 'request',
      wouldBeMailed: candidate !== undefined,
    });
    const answer = { message: 'If this email waits to be verified, a new code is on its way to it.' };
    return deps.change(find, async (account) => {
      if (account?.verified) return { next: null, refuse: alreadyVerified() };
      if (account !== undefined && mailed) return { next: withNewVerificationCode(deps, account), answer };
      // A request costs as many writes without a mail as with one.
      await writeDecoy(deps, email);
      return { next: null, answer };
    });
  };
