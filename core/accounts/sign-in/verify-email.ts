import { CoreError } from '../../errors.ts';
import type { Account, VerificationCode } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { afterWrongTry, matchingDigest } from '../codes.ts';
import { canonicalEmail } from '../email.ts';
import { held, invalidCode, wrongCredentials } from '../errors.ts';
import { hashedFor, rememberAddress } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import type { HashOptions } from '../ports.ts';
import type { Method } from '../session.ts';
import { type LetIn, type LoginAnswer, makeLetIn } from '../sessions/open-session.ts';
import { makeVerifyRegistration } from '../trips/registration.ts';
import { writeDecoy } from './decoy-write.ts';
import { normalPassword } from './password.ts';
import { makeVerificationTries } from './verification-tries.ts';

export interface VerifyEmail {
  readonly email: string;
  readonly code: string;
  /**
   * The newest registration's; keeps a stranger's registration from being verified by the owner's code. Needed when
   * the registration was replaced after the code was mailed: no mail has told the owner of that.
   */
  readonly password?: string;
  /** Needed, and taken, for a registration with an identity at a provider: as `providers.exchange` gave it. */
  readonly signUpToken?: string;
}

export const makeVerifyEmail = (kit: Kit) => {
  const { accounts, change, clock, digest, domains, entries, hasher, log, policy } = kit;
  const letIn = makeLetIn(kit);
  const tries = makeVerificationTries(kit);

  const verifyRegistration = makeVerifyRegistration(kit);

  /** What the code, and the password where one is given, prove of the newest registration; undefined if nothing. */
  const prove = async (
    { passwordHash, registeredAt }: Account,
    code: VerificationCode,
    given: string | undefined,
    options: HashOptions,
  ): Promise<readonly Method[] | undefined> => {
    if (given === undefined) return code.registeredAt === registeredAt ? ['code'] : undefined;
    const password = normalPassword(given, policy.passwordLongest);
    const { right } = await hasher.verify(password, passwordHash, { ...options, typed: given });
    return right ? ['code', 'password'] : undefined;
  };

  return async (input: VerifyEmail, caller: Caller): Promise<LoginAnswer> => {
    const email = canonicalEmail(domains, input.email);
    const known = await accounts.findByEmail(email);
    const codeTry = { email, userId: known?.id, client: caller.client };
    const from = { ...(known && { userId: known.id }), ...calledFrom(caller) };
    const refuseHeld = (until: number) => {
      log.warn('verification.held', from);
      return held('verification_held', until, clock.now());
    };
    const heldUntil = await tries.heldUntil(codeTry);
    if (heldUntil !== undefined) throw refuseHeld(heldUntil);

    const take = async (found: Account | undefined): Promise<Decision<LetIn>> => {
      const code = found?.verification ?? null;
      const now = clock.now();
      if (found === undefined || found.verified || code === null || code.expiresAt <= now) {
        await writeDecoy(kit, email);
        return { next: null, refuse: invalidCode() };
      }
      if (matchingDigest(digest, 'verification', found.id, input.code, [code.digest]) === undefined) {
        return {
          next: { ...found, verification: afterWrongTry(code, policy.triesPerCode) },
          refuse: invalidCode(),
        };
      }
      const options = hashedFor(kit, found.email, found, caller);
      // Imported with an email that nobody had verified: they may be those of whoever registered there with it.
      const owned = { ...found, oauthAccounts: [] };
      const byIdentity = await verifyRegistration(owned, input.signUpToken, caller);
      const methods = byIdentity?.methods ?? (await prove(found, code, input.password, options));
      if (methods === undefined) return { next: null, refuse: wrongCredentials() };
      const verified = {
        ...(byIdentity?.account ?? owned),
        verified: true,
        verification: null,
        updatedAt: now,
      };
      const next = withPending(
        rememberAddress(digest, policy, verified, caller.client, now),
        entries.event('user.verified', found.id),
      );
      return { next, answer: { account: next, methods } };
    };

    const { answer, methods } = await change(
      () => accounts.findByEmail(email),
      async (found) => letIn(await take(found), caller),
    ).catch(async (error: unknown) => {
      if (!(error instanceof CoreError) || error.kind !== 'unauthenticated') throw error;
      log.info('verification.failed', { reason: error.code, ...from });
      const until = await tries.add(codeTry);
      throw until === undefined ? error : refuseHeld(until);
    });
    log.info('email.verified', { userId: answer.user.id, factors: methods, ...calledFrom(caller) });
    return answer;
  };
};
