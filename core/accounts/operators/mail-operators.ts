import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import type { Deps } from '../deps.ts';
import { operatorRole } from '../entitlement.ts';
import { type MailEntry, withPending } from '../outbox-entries.ts';
import { isFounder, listOperators } from './founders.ts';

/** The author of a change. */
export interface ActorFacts {
  /** A user id, or another name in the audit log. */
  readonly actor: string;
  /** Who acted as `actor` at the command line. */
  readonly person?: string;
  /** The client address of an operator. */
  readonly address?: string;
}

/**
 * Adds mails to a change that appoints or dismisses an operator, changes an operator's role, or deletes or restores an
 * operator: to the operator, unless the account is deleted, and to every other founder. The write of the change includes
 * them.
 */
export const makeAddOperatorMails = (deps: Pick<Deps, 'accounts' | 'clock' | 'directory' | 'entries'>) => {
  const { accounts, clock, entries } = deps;

  const emailOf = async (actor: string, operator: Account): Promise<string | undefined> => {
    if (actor === operator.id) return operator.email;
    return isId(actor) ? (await accounts.find(actor))?.email : undefined;
  };

  const nameOf = async ({ actor, person }: ActorFacts, operator: Account): Promise<string> => {
    const name = (await emailOf(actor, operator)) ?? actor;
    return person === undefined ? name : `${name} (${person})`;
  };

  return async (before: Account, after: Account, by: ActorFacts): Promise<Account> => {
    // An empty role: no operator.
    const formerRole = operatorRole(before.entitlements) ?? '';
    const role = operatorRole(after.entitlements) ?? '';
    if (formerRole === role) return after;
    // A tombstone has no email.
    const operator = before.deletedAt === null ? before : after;
    const now = clock.now();
    const at = new Date(now).toISOString();
    const mails: MailEntry[] = [];
    if (after.deletedAt === null) {
      const template = role === '' ? 'operator-dismissed' : 'operator-appointed';
      mails.push(entries.mail(after, template, { at, role }));
    }
    const facts = {
      at,
      operator: operator.email,
      formerRole,
      role,
      actor: await nameOf(by, operator),
      ...(by.address !== undefined && { address: by.address }),
    };
    for await (const founder of listOperators(deps)) {
      if (founder.id === before.id || !isFounder(founder, now)) continue;
      // `userId`: the mail is the founder's, though the change of another account sends it.
      mails.push({ ...entries.mail(founder, 'operators-changed', facts), userId: founder.id });
    }
    return withPending(after, ...mails);
  };
};
