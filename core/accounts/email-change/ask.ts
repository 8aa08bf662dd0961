import { CoreError } from '../../errors.ts';
import type { Account, EmailChange } from '../account.ts';
import { codeDigest, newDigits } from '../codes.ts';
import { canonicalEmail } from '../email.ts';
import { invalidToken, secondsUntil } from '../errors.ts';
import { emailChangesKey } from '../guess-keys.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { DAY } from '../policy.ts';
import { timeSince } from '../session.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { takeCodeMail } from '../sign-in/code-mails.ts';
import { openWindows, shownEmail, voided } from './windows.ts';

export interface AskEmailChange {
  /** The new email. */
  readonly email: string;
}

const sameEmail = () => new CoreError('conflict', 'same_email', 'The account has this email already.');

/**
 * Asks for another email: a code goes to the new one, a notice to the old one. Nothing is reserved: who verifies the
 * address first has it. A taken address gets the same answer and the same writes, and no mail.
 */
export const makeAskEmailChange = (kit: Kit) => {
  const { accounts, changeUser, clock, digest, domains, entries, log, policy, random, tries } = kit;
  const needFresh = makeNeedFresh(kit);

  const refuseHeld = (until: number) =>
    new CoreError('throttled', 'email_change_held', 'Too many changes of the email; try again later.', {
      retryAfter: secondsUntil(until, clock.now()),
    });

  return async (
    who: Identity,
    input: AskEmailChange,
    caller: Caller,
  ): Promise<{ readonly message: string; readonly email: string }> => {
    await needFresh(who, caller);
    const to = canonicalEmail(domains, input.email);
    if (to === who.user.email) throw sameEmail();
    const { id } = who.user;
    const asked = await tries.add(emailChangesKey(id), DAY, clock.now());
    if (asked.count > policy.emailChangesADay) throw refuseHeld(asked.firstAt + DAY);
    const taken = (await accounts.findByEmail(to))?.verified === true;
    const mailed = await takeCodeMail(kit, { email: to, client: caller.client, due: !taken });

    await changeUser<void>(id, (account: Account) => {
      const now = clock.now();
      if (account.sessionEpoch !== who.user.sessionEpoch) return { next: null, refuse: invalidToken() };
      if (account.email === to) return { next: null, refuse: sameEmail() };
      const windows = openWindows(account, now);
      const [first] = windows;
      if (first !== undefined && windows.length >= policy.emailUndoWindows)
        return { next: null, refuse: refuseHeld(first.until) };
      const before = account.emailChange;
      const code = newDigits(random);
      const emailChange: EmailChange = {
        to,
        digest: codeDigest(digest, 'email-change', id, `${to}:${code}`),
        tries: 0,
        expiresAt: now + policy.verificationCodeLife,
        at: now,
        since: before !== null && timeSince(before.at, now) <= DAY ? before.since : now,
        session: who.session.id,
        epoch: account.sessionEpoch,
      };
      const facts = { at: new Date(now).toISOString(), address: caller.address };
      const minutes = String(Math.round(policy.verificationCodeLife / 60_000));
      const recipient = { email: to, language: account.language };
      const next = withPending(
        { ...account, emailChange, formerEmails: windows, updatedAt: now },
        ...(mailed ? [entries.mail(recipient, 'email-change-code', { ...facts, minutes }, code)] : []),
        entries.mail(account, 'email-change-asked', facts),
        entries.audit({
          action: 'email.change_asked',
          actor: id,
          target: id,
          after: shownEmail(digest, to),
          caller,
        }),
      );
      return { next, answer: undefined };
    });
    log.info('email.change_asked', { userId: id, ...calledFrom(caller) });
    return { message: 'We sent a code to the new email; enter it to change the address.', email: to };
  };
};

/** Voids what was asked for; when that was stays known. Without it nothing changes. */
export const makeCancelEmailChange =
  ({ changeUser }: Pick<Kit, 'changeUser'>) =>
  async (who: Identity): Promise<{ readonly success: true }> => {
    await changeUser<void>(who.user.id, (account) => ({
      next: account.emailChange && { ...account, emailChange: voided(account.emailChange) },
      answer: undefined,
    }));
    return { success: true };
  };
