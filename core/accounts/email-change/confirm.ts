import { CoreError } from '../../errors.ts';
import { type Account, type EmailChange, endSessions, type FormerEmail } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { afterWrongTry, codeDigest, grouped, matchingDigest, newCrockford, readTyped } from '../codes.ts';
import { emailTaken, held, invalidCode } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { timeSince } from '../session.ts';
import { makeVerificationTries } from '../sign-in/verification-tries.ts';
import { makeWay, openWindows, shownEmail, voided } from './windows.ts';

export interface ConfirmEmailChange {
  /** The six digits that were mailed to the new email. */
  readonly code: string;
}

/**
 * Changes the email by the code from the new one, in the session that asked. The user's other sessions end, and the old
 * email gets a code that takes the change back.
 */
export const makeConfirmEmailChange = (kit: Kit) => {
  const { accounts, changeUser, clock, digest, entries, log, policy, random, sessions, wake } = kit;
  const tries = makeVerificationTries(kit);

  const isGood = (change: EmailChange, account: Account, { session }: Identity): boolean =>
    change.session === session.id &&
    change.epoch === account.sessionEpoch &&
    change.expiresAt > clock.now() &&
    timeSince(change.at, clock.now()) <= policy.verificationCodeLife;

  const moved = (account: Account, change: EmailChange, who: Identity, caller: Caller): Account => {
    const now = clock.now();
    const undo = newCrockford(random, 10);
    const former: FormerEmail = {
      email: account.email,
      digest: codeDigest(digest, 'email-undo', account.id, `${account.email}:${undo}`),
      askedAt: change.since,
      until: now + policy.emailUndoLife,
    };
    const facts = { at: new Date(now).toISOString(), address: caller.address };
    return withPending(
      {
        ...endSessions(account, who.session.id),
        email: change.to,
        emailChange: null,
        verification: null,
        // A code that was mailed to the old email is good for nothing any more.
        reset: null,
        formerEmails: [...openWindows(account, now), former],
        updatedAt: now,
      },
      entries.task('end-sessions'),
      entries.mail(account, 'email-changed', facts, grouped(undo, 5)),
      entries.event('user.email_changed', account.id),
      entries.audit({
        action: 'email.changed',
        actor: account.id,
        target: account.id,
        before: shownEmail(digest, account.email),
        after: shownEmail(digest, change.to),
        caller,
      }),
    );
  };

  return async (
    who: Identity,
    input: ConfirmEmailChange,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly email: string }> => {
    const { id } = who.user;
    const from = { userId: id, ...calledFrom(caller) };
    const email = (await accounts.find(id))?.emailChange?.to;
    if (email === undefined) throw invalidCode();
    const codeTry = { email, userId: id, client: caller.client };
    const refuseHeld = (until: number) => {
      log.warn('verification.held', from);
      return held('verification_held', until, clock.now());
    };
    const heldUntil = await tries.heldUntil(codeTry);
    if (heldUntil !== undefined) throw refuseHeld(heldUntil);

    const take = async (account: Account): Promise<Decision<Account>> => {
      const change = account.emailChange;
      if (change === null || !isGood(change, account, who)) return { next: null, refuse: invalidCode() };
      const typed = `${change.to}:${readTyped(input.code)}`;
      if (matchingDigest(digest, 'email-change', id, typed, [change.digest]) === undefined) {
        // What was asked for first stays known, so that nobody moves it by wrong codes.
        const emailChange = afterWrongTry(change, policy.triesPerCode) ?? voided(change);
        return { next: { ...account, emailChange }, refuse: invalidCode() };
      }
      if (!(await makeWay(accounts, account, change.to))) return { next: null, refuse: emailTaken() };
      const next = moved(account, change, who, caller);
      return { next, answer: next };
    };

    const account = await changeUser(id, take).catch(async (error: unknown) => {
      if (!(error instanceof CoreError) || error.code !== 'invalid_code') throw error;
      log.info('email.change_failed', { reason: error.code, ...from });
      const until = await tries.add(codeTry);
      throw until === undefined ? error : refuseHeld(until);
    });
    log.info('email.changed', from);
    const others = { keep: who.session.id, beforeEpoch: account.sessionEpoch };
    // They are cut off already, and the relay ends what this cannot.
    await sessions.endAll(id, others, clock.now()).catch(wake);
    return { success: true, email: account.email };
  };
};
