import type { Deps } from '../deps.ts';
import { canonicalEmail } from '../email.ts';
import { auditedEmail } from '../email-change/email-change-rules.ts';
import { emailTaken } from '../errors.ts';
import {
  type AdminActionResult,
  makeAdminAction,
  type Operator,
  type ReasoningOperator,
} from './admin-action.ts';
import type { AdminActionRules } from './change-by-operator.ts';

export const makeSetEmail = (deps: Deps, rules: AdminActionRules) => {
  const { accounts, digest, domains, entries } = deps;
  const runAction = makeAdminAction(deps, rules);

  return async (user: string, newEmail: string, by: ReasoningOperator): Promise<AdminActionResult> => {
    const email = canonicalEmail(domains, newEmail);
    const result = await runAction(user, by, async (account, now) => {
      if (account.email === email) return undefined;
      // The store rejects a taken email like an outdated version: this check tells them apart.
      const holder = await accounts.findByEmail(email);
      if (holder !== undefined && holder.id !== account.id) throw emailTaken();
      const next = {
        ...account,
        email,
        verification: null,
        reset: null,
        emailChange: null,
        formerEmails: [],
      };
      const facts = { at: new Date(now).toISOString() };
      return {
        next,
        before: auditedEmail(digest, account.email),
        after: auditedEmail(digest, email),
        also: [
          entries.mail(account, 'email-changed', facts),
          entries.mail(next, 'email-set', facts),
          entries.event('user.email_changed', account.id),
        ],
      };
    });
    return { ...result, email };
  };
};

export const makeTakeEmailAsVerified = (deps: Deps, rules: AdminActionRules) => {
  const runAction = makeAdminAction(deps, rules);

  return (user: string, by: Operator): Promise<AdminActionResult> =>
    runAction(user, by, (account) =>
      account.verified
        ? undefined
        : {
            // The operator vouches for the email only: a stranger may have registered it and linked an identity.
            next: { ...account, verified: true, verification: null, registration: null, oauthAccounts: [] },
            before: { verified: false },
            after: { verified: true },
            also: [deps.entries.event('user.verified', account.id)],
          },
    );
};
