import { isoTime } from '../../iso-times.ts';
import { canonicalEmail } from '../email.ts';
import { auditedEmail } from '../email-change/email-change-rules.ts';
import { emailTaken } from '../errors.ts';
import { emailChangedEntries } from '../outbox-entries.ts';
import { defineAction } from './admin-action.ts';

export const setEmail = defineAction(async (deps, account, now, newEmail: string) => {
  const { accounts, digest, domains, entries } = deps;
  const email = canonicalEmail(domains, newEmail);
  if (account.email === email) return undefined;
  // The store rejects a taken email like an outdated version: this check tells them apart.
  const holder = await accounts.findByEmail(email);
  if (holder !== undefined && holder.id !== account.id) throw emailTaken();
  // Every code that was mailed before becomes void, and the account cannot return to a former email. `verified` stays.
  const next = {
    ...account,
    email,
    verification: null,
    reset: null,
    emailChange: null,
    formerEmails: [],
  };
  const facts = { at: isoTime(now) };
  return {
    next,
    before: auditedEmail(digest, account.email),
    after: auditedEmail(digest, email),
    also: [
      entries.mail(account, 'email-changed', facts),
      entries.mail(next, 'email-set', facts),
      ...emailChangedEntries(deps, account),
    ],
  };
});

export const takeEmailAsVerified = defineAction(({ entries }, account) =>
  account.verified
    ? undefined
    : {
        // The operator vouches for the email alone. The identities of an imported account are removed: they may belong to a
        // stranger who used the same email elsewhere.
        next: { ...account, verified: true, verification: null, registration: null, oauthAccounts: [] },
        before: { verified: false },
        after: { verified: true },
        also: [entries.event('user.verified', account.id)],
      },
);
