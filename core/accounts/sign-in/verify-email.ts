import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { afterWrongTry, matchingDigest } from '../codes.ts';
import { canonicalEmail } from '../email.ts';
import { withPending } from '../entries.ts';
import { held, invalidCode, wrongCredentials } from '../errors.ts';
import { hashedFor, rememberAddress } from '../guess-keys.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { type LetIn, type LoginAnswer, makeOpenSession } from '../sessions/open-session.ts';
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
}

export const makeVerifyEmail = (kit: Kit) => {
  const { accounts, clock, digest, domains, entries, hasher, log, policy } = kit;
  const openSession = makeOpenSession(kit);
  const tries = makeVerificationTries(kit);

  const isRightPassword = async (given: string, account: Account, caller: Caller) => {
    const password = normalPassword(given, policy.passwordLongest);
    const options = hashedFor(kit, account.email, account, caller);
    return (await hasher.verify(password, account.passwordHash, options)).right;
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

    let judged: { hash: string | null; right: boolean } | undefined;
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
      if (input.password !== undefined && judged?.hash !== found.passwordHash) {
        const right = await isRightPassword(input.password, found, caller);
        judged = { hash: found.passwordHash, right };
      }
      const proved = judged === undefined ? code.registeredAt === found.registeredAt : judged.right;
      if (!proved) return { next: null, refuse: wrongCredentials() };
      const verified = { ...found, verified: true, verification: null, updatedAt: now };
      const next = withPending(
        rememberAddress(digest, policy, verified, caller.client, now),
        entries.event('user.verified', found.id),
      );
      const methods = judged === undefined ? (['code'] as const) : (['code', 'password'] as const);
      return { next, answer: { account: next, methods } };
    };

    const find = () => accounts.findByEmail(email);
    const { answer, methods } = await openSession(find, take, caller).catch(async (error: unknown) => {
      if (!(error instanceof CoreError) || error.kind !== 'unauthenticated') throw error;
      log.info('verification.failed', { reason: error.code, ...from });
      const until = await tries.add(codeTry);
      throw until === undefined ? error : refuseHeld(until);
    });
    log.info('email.verified', { userId: answer.user.id, factors: methods, ...calledFrom(caller) });
    return answer;
  };
};
