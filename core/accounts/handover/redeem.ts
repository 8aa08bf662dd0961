import { CoreError } from '../../errors.ts';
import { type Account, isBanned, isDisabled } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { invalidCode } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { isLive } from '../session.ts';
import { type LoginAnswer, makeLetIn, type Opened } from '../sessions/open-session.ts';
import { isVerifierOf, readTripCode } from '../trips/trip.ts';
import { type HandedOver, sealedHandover } from './code.ts';

export interface RedeemHandover {
  readonly code: string;
  /** 43 to 128 characters (RFC 7636 section 4.1). */
  readonly codeVerifier: string;
  /** The address to which the page went back. */
  readonly returnTo: string;
}

/** What the app's session begins with: proved when and as the owner did it, not now. */
const beginningOf = ({ opens, authenticatedAt, methods }: HandedOver, account: Account) => ({
  account,
  methods,
  authenticatedAt,
  sessionId: opens,
});

/**
 * Opens a session for an app by a code. The code is spent by its first use, whatever comes with it. A second use ends the
 * session that the first one opened (RFC 6749 section 4.1.2): nobody can tell which of the two was the app's.
 */
export const makeRedeemHandover = (kit: Kit) => {
  const { changeUser, clock, digest, flows, log, policy, sealer, sessions, tokens, wake } = kit;
  const letIn = makeLetIn(kit);

  const end = async ({ userId, opens }: HandedOver): Promise<void> => {
    await sessions.end(userId, opens, clock.now());
    tokens.forget(opens);
    wake();
  };

  const mayOpen = async (account: Account, given: HandedOver): Promise<boolean> => {
    const now = clock.now();
    const giver = await sessions.find(account.id, given.givenBy);
    return (
      account.sessionEpoch === given.epoch &&
      account.passwordAt === given.passwordAt &&
      !isBanned(account, now) &&
      !isDisabled(account, now) &&
      giver !== undefined &&
      isLive(giver, account, now)
    );
  };

  const open = (given: HandedOver, caller: Caller): Promise<Opened> =>
    changeUser(
      given.userId,
      async (account): Promise<Decision<Opened>> =>
        (await mayOpen(account, given))
          ? letIn({ next: null, answer: beginningOf(given, account) }, caller)
          : { next: null, refuse: invalidCode() },
      invalidCode,
    );

  const isAsGiven = (given: HandedOver, { codeVerifier, returnTo }: RedeemHandover): boolean =>
    isVerifierOf(digest, codeVerifier, given.challenge) && given.returnTo === returnTo;

  const redeem = async (input: RedeemHandover, caller: Caller): Promise<LoginAnswer> => {
    const read = readTripCode(digest, input.code);
    const now = clock.now();
    const flow = read && (await flows.find(read.id, now));
    if (read === undefined || !digest.equal(flow?.codeDigest ?? '', read.codeDigest)) throw invalidCode();
    const given = sealedHandover(sealer, read.id).open(flow?.content ?? null);
    const expiresAt = now + policy.handoverWatched;
    const isFirst = await flows.step({ ...read, from: 'answered', to: 'taken', expiresAt }, now);
    if (given === undefined) throw invalidCode();
    /** True once, for the first use when its session is there or for a second one that came before. */
    const close = () => flows.step({ ...read, from: 'taken', to: 'spent', expiresAt }, now);
    if (!isFirst) {
      await close();
      await end(given);
      log.warn('handover.used_twice', { userId: given.userId, ...calledFrom(caller) });
      throw invalidCode();
    }
    if (!isAsGiven(given, input)) throw invalidCode();
    const { answer } = await open(given, caller);
    const isOurs = await close().catch(async (error: unknown) => {
      await end(given).catch(() => undefined);
      throw error;
    });
    if (isOurs) return answer;
    await end(given);
    throw invalidCode();
  };

  return async (input: RedeemHandover, caller: Caller): Promise<LoginAnswer> => {
    const from = { factors: ['handover'], ...calledFrom(caller) };
    try {
      const answer = await redeem(input, caller);
      log.info('sign_in.succeeded', { ...from, userId: answer.user.id });
      return answer;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      // The session it comes from, or the account, may be over by now.
      const refusal = error.kind === 'unauthenticated' ? invalidCode() : error;
      log.info('sign_in.failed', { ...from, reason: refusal.code });
      throw refusal;
    }
  };
};
