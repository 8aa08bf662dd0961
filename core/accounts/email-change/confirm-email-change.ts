import { TRUE } from '../../answer-schemas.ts';
import { object, type TypeOf } from '../../schema.ts';
import {
  type Account,
  type EmailChange,
  endSessions,
  type FormerEmail,
  restorableEmails,
} from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import {
  afterWrongAttempt,
  codeDigest,
  grouped,
  matchingDigest,
  newCrockford,
  readTyped,
  TYPED_CODE,
} from '../codes.ts';
import type { Deps } from '../deps.ts';
import { CANONICAL_EMAIL, isReservedEmail } from '../email.ts';
import { emailTaken, invalidCode } from '../errors.ts';
import { emailChangedEntries, withPending } from '../outbox-entries.ts';
import { actingSession, type Principal, type UserSession } from '../principal.ts';
import { makeCodeAttempt } from '../registration/verification-attempts.ts';
import { timeSince } from '../session.ts';
import { endVoidedSessions } from '../sessions/list-and-end.ts';
import { auditedEmail, freeEmail, usesNewMethod, withoutCode } from './email-change-rules.ts';

export const confirmEmailChangeInput = object({
  // Admits the length of other kinds of codes: such a code is refused as wrong, not as malformed.
  code: {
    ...TYPED_CODE,
    description: 'The six digits from the mail; blanks and dashes do not matter',
    examples: ['493021'],
  },
});
/** The six digits that were mailed to the new email. */
export type ConfirmEmailChangeInput = TypeOf<typeof confirmEmailChangeInput>;

export const confirmEmailChangeResult = object({ success: TRUE, email: CANONICAL_EMAIL });
/** The new email, in canonical form. */
export type ConfirmEmailChangeResult = TypeOf<typeof confirmEmailChangeResult>;

/** Changes the email, in the session that requested the change, and mails the old email a code that undoes it. */
export const makeConfirmEmailChange = (deps: Deps) => {
  const { accounts, changeUser, clock, digest, entries, log, policy, random, sessions } = deps;

  const isValid = (change: EmailChange, account: Account, { session }: Principal): boolean =>
    change.session === session.id &&
    change.epoch === account.sessionEpoch &&
    change.expiresAt > clock.now() &&
    // If the clock was set back since the request, `expiresAt` is too far ahead. `timeSince` counts such a request as long past.
    timeSince(change.at, clock.now()) <= policy.verificationCodeLifeMs;

  const withNewEmail = (
    account: Account,
    change: EmailChange,
    session: UserSession,
    caller: Caller,
  ): Account => {
    const now = clock.now();
    const undo = newCrockford(random, 10);
    const former: FormerEmail = {
      email: account.email,
      digest: codeDigest(digest, 'email-undo', account.id, `${account.email}:${undo}`),
      askedAt: change.since,
      until: now + policy.emailUndoLifeMs,
      by: actingSession(session),
      // Whether this session was signed in by a method that is itself new: a thief may have added it in an earlier session. An
      // undo then removes all new methods, not only those that this session added.
      ...(usesNewMethod(account, session.methods, change.since - policy.emailUndoReachMs) && {
        byNewMethod: true,
      }),
    };
    return withPending(
      {
        ...endSessions(account, session.id),
        email: change.to,
        emailChange: null,
        verification: null,
        // A reset code that was mailed to the old email must no longer work.
        reset: null,
        formerEmails: [...restorableEmails(account, now), former],
        updatedAt: now,
      },
      entries.task('end-sessions'),
      entries.notice(account, 'email-changed', caller, {}, grouped(undo, 5)),
      ...emailChangedEntries(deps, account),
      entries.ownAudit(account.id, 'email.changed', caller, {
        before: auditedEmail(digest, account.email),
        after: auditedEmail(digest, change.to),
      }),
    );
  };

  return async (
    principal: Principal,
    input: ConfirmEmailChangeInput,
    caller: Caller,
  ): Promise<ConfirmEmailChangeResult> => {
    const { id } = principal.user;
    const logFields = { userId: id, ...calledFrom(caller) };
    const stored = await sessions.findWithAccount(id, principal.session.id);
    const email = stored?.account.emailChange?.to;
    if (stored === undefined || email === undefined) throw invalidCode();
    // From the store, since the principal may be a second old.
    const { methods } = stored.session;
    const attempted = { email, userId: id, client: caller.client };
    const attempt = makeCodeAttempt(deps, attempted, 'email.change_failed', logFields);
    await attempt.requireAllowance();

    const confirm = async (account: Account): Promise<Decision<Account>> => {
      const change = account.emailChange;
      if (change === null || !isValid(change, account, principal))
        return { next: null, refuse: invalidCode() };
      const typed = `${change.to}:${readTyped(input.code)}`;
      if (matchingDigest(digest, 'email-change', id, typed, [change.digest]) === undefined) {
        // The last wrong attempt voids the code, but the record stays for its `since`, which the next request takes over.
        const emailChange = afterWrongAttempt(change, policy.attemptsPerCode) ?? withoutCode(change);
        return { next: { ...account, emailChange }, refuse: invalidCode() };
      }
      // `freeEmail` also removes an unverified registration with the new email.
      const isFree =
        !(await isReservedEmail(deps, change.to)) && (await freeEmail(accounts, account, change.to));
      if (!isFree) return { next: null, refuse: emailTaken() };
      const next = withNewEmail(account, change, { ...principal.session, methods }, caller);
      return { next, answer: next };
    };

    const account = await changeUser(id, confirm).catch(attempt.countWrong);
    log.info('email.changed', logFields);
    await endVoidedSessions(deps, account);
    return { success: true, email: account.email };
  };
};
