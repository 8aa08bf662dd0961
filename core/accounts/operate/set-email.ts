import { canonicalEmail } from '../email.ts';
import { shownEmail } from '../email-change/windows.ts';
import { emailTaken } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Acted, makeAct, type Operator } from './act.ts';

export const makeSetEmail = (kit: Kit) => {
  const { accounts, digest, domains, entries } = kit;
  const act = makeAct(kit);

  return async (user: string, given: string, by: Operator & { readonly reason: string }): Promise<Acted> => {
    const email = canonicalEmail(domains, given);
    const acted = await act(user, by, 'user.email_changed', async (account, now) => {
      if (account.email === email) return undefined;
      // The store refuses a taken email as it refuses an old version: this tells the two apart.
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
        before: shownEmail(digest, account.email),
        after: shownEmail(digest, email),
        also: [
          entries.mail(account, 'email-changed', facts),
          entries.mail(next, 'email-set', facts),
          entries.event('user.email_changed', account.id),
        ],
      };
    });
    return { ...acted, email };
  };
};
