import type { Success } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import { describedAs, object, type TypeOf } from '../../schema.ts';
import { type EmailChange, restorableEmails } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import { changeOwnAccount } from '../change-account.ts';
import { type CodeMailed, consumeCodeMail } from '../code-mail-limits.ts';
import { codeDigest, newDigits } from '../codes.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail, EMAIL, isReservedEmail } from '../email.ts';
import { secondsUntil } from '../errors.ts';
import { withPending } from '../outbox-entries.ts';
import { DAY } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { timeSince } from '../session.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { accountKey, type ChargeAllowance, emailChangesKey } from '../throttle-keys.ts';
import { auditedEmail, withoutCode } from './email-change-rules.ts';

export const askEmailChangeInput = object({ email: describedAs(EMAIL, 'The new email address') });
export type AskEmailChangeInput = TypeOf<typeof askEmailChangeInput>;

const sameEmail = () => new CoreError('conflict', 'same_email', 'The account already has this email.');

/**
 * Requests a change of the email: mails a code to the new email, and a notice to the old email. The request reserves nothing:
 * the first account to verify the address gets it. A taken address gets no code, but neither the response nor the number of
 * writes tells the caller that it is taken.
 */
export const makeAskEmailChange = (deps: Deps) => {
  const { accounts, clock, digest, domains, entries, log, policy, random, attempts } = deps;

  const tooManyChanges = (until: number) =>
    new CoreError('throttled', 'email_change_held', 'Too many changes of the email; try again later.', {
      retryAfter: secondsUntil(until, clock.now()),
    });

  return async (
    principal: Principal,
    input: AskEmailChangeInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<CodeMailed> => {
    const to = canonicalEmail(domains, input.email);
    // The allowance is that of the new email, to which the mail goes.
    await charge?.(accountKey(digest, to));
    await requireFresh(deps, principal, caller);
    if (to === principal.user.email) throw sameEmail();
    const { id } = principal.user;
    const counter = await attempts.add(emailChangesKey(id), DAY, clock.now());
    if (counter.count > policy.emailChangesADay) throw tooManyChanges(counter.firstAt + DAY);
    const [holder, isReserved] = await Promise.all([accounts.findByEmail(to), isReservedEmail(deps, to)]);
    // An email is reserved if it is the former email of an account whose deletion can still be undone.
    const isTaken = isReserved || holder?.verified === true;
    const isMailed = await consumeCodeMail(deps, {
      email: to,
      client: caller.client,
      cause: 'request',
      wouldBeMailed: !isTaken,
    });

    await changeOwnAccount<void>(deps, principal, (account) => {
      const now = clock.now();
      if (account.email === to) return { next: null, refuse: sameEmail() };
      // The former emails to which an undo can still return, the oldest first.
      const formerEmails = restorableEmails(account, now);
      const [oldest] = formerEmails;
      if (oldest !== undefined && formerEmails.length >= policy.emailUndoWindows)
        return { next: null, refuse: tooManyChanges(oldest.until) };
      const previous = account.emailChange;
      const code = newDigits(random);
      const emailChange: EmailChange = {
        to,
        digest: codeDigest(digest, 'email-change', id, `${to}:${code}`),
        tries: 0,
        expiresAt: now + policy.verificationCodeLifeMs,
        at: now,
        // If requests follow each other within a day, an undo reaches back to the first of them.
        since: previous !== null && timeSince(previous.at, now) <= DAY ? previous.since : now,
        session: principal.session.id,
        epoch: account.sessionEpoch,
      };
      const minutes = String(Math.round(policy.verificationCodeLifeMs / 60_000));
      const recipient = { email: to, language: account.language };
      const next = withPending(
        { ...account, emailChange, formerEmails, updatedAt: now },
        ...(isMailed ? [entries.notice(recipient, 'email-change-code', caller, { minutes }, code)] : []),
        entries.notice(account, 'email-change-asked', caller),
        entries.ownAudit(id, 'email.change_asked', caller, { after: auditedEmail(digest, to) }),
      );
      return { next, answer: undefined };
    });
    log.info('email.change_asked', { userId: id, ...calledFrom(caller) });
    return { message: 'We sent a code to the new email; enter it to change the address.', email: to };
  };
};

/** Cancels the pending change but keeps its times, from which the next request takes `since`. Does nothing if none is pending. */
export const makeCancelEmailChange =
  ({ changeUser }: Pick<Deps, 'changeUser'>) =>
  async (principal: Principal): Promise<Success> => {
    await changeUser<void>(principal.user.id, (account) => ({
      next: account.emailChange && { ...account, emailChange: withoutCode(account.emailChange) },
      answer: undefined,
    }));
    return { success: true };
  };
