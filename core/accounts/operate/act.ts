import { invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { type Account, nextChange } from '../account.ts';
import { makeRelayAccount } from '../aftermath/relay.ts';
import { canonicalEmail } from '../email.ts';
import { accountNotFound } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import { type AuditValue, type Pending, withPending } from '../pending.ts';
import { type Acting, makeChangeByOperator } from './rules/change.ts';

/** The account that an operator means: by id, else by email. Throws `missing` (`user_not_found`), `invalid_email`. */
export const makeFindUser =
  ({ accounts, domains }: Pick<Kit, 'accounts' | 'domains'>) =>
  async (user: string): Promise<Account> => {
    const found = isId(user)
      ? await accounts.find(user)
      : await accounts.findByEmail(canonicalEmail(domains, user));
    if (found === undefined || found.deletedAt !== null) throw accountNotFound();
    return found;
  };

/** Who acts, as the audit log names them, and why. */
export interface Operator extends Acting {
  /** The name of the person, where several act as `actor`. */
  readonly person?: string;
  readonly reason?: string;
}

/** Who acts, as rows and grants record it. */
export interface AcceptedOperator extends Pick<Operator, 'actor' | 'person' | 'reason'> {
  readonly caller: Pick<Caller, 'requestId'> | null;
  readonly address?: string;
}

/** About whom something was done; `changed` is false when it was so already, and then nothing is written. */
export interface Acted {
  readonly userId: string;
  readonly email: string;
  readonly changed: boolean;
}

/** The result of an act: the account, the facts of the audit row before and after, and other entries. */
interface Act {
  readonly next: Account;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
  readonly also?: readonly Pending[];
}

const REASON_LONGEST = 500;

/** Line breaks and tabs may stand in a reason; nothing else that a terminal or a log takes for an order. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** What somebody can read: blanks and invisible characters are no reason. */
const READABLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A reason as it is recorded. Throws `invalid` (`invalid_reason`). */
export const acceptReason = (given: string): string => {
  const reason = given.trim();
  if (!READABLE.test(reason) || UNFIT.test(reason) || [...reason].length > REASON_LONGEST) {
    throw invalid('invalid_reason', `The reason must have 1 to ${REASON_LONGEST} readable characters.`);
  }
  return reason;
};

const PERSON_LONGEST = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name has none
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** A person's name as it is recorded. Throws `invalid` (`invalid_person`). */
export const acceptPerson = (given: string): string => {
  const person = given.trim();
  if (person === '' || [...person].length > PERSON_LONGEST || CONTROL.test(person)) {
    throw invalid('invalid_person', `The name must have 1 to ${PERSON_LONGEST} printable characters.`);
  }
  return person;
};

/** Who acts and why, as rows record it. Throws `invalid` (`invalid_reason`, `invalid_person`). */
export const acceptOperator = (by: Operator): AcceptedOperator => {
  const person = by.person === undefined ? undefined : acceptPerson(by.person);
  const reason = by.reason === undefined ? undefined : acceptReason(by.reason);
  return {
    actor: by.actor,
    ...(person !== undefined && { person }),
    ...(reason !== undefined && { reason }),
    caller: by.caller ?? null,
    ...(by.caller !== undefined && { address: by.caller.address }),
  };
};

/**
 * Does something to one user in one write, with its audit row. `decide` gives undefined when there is nothing to
 * change. Throws as `makeChangeByOperator` and `acceptOperator` do. `own`: operators may do it to themselves. The row,
 * mails and ended sessions are where they belong by then, for whoever looks at once.
 * See decision 0064.
 */
export const makeAct = (kit: Kit, { own = true }: { readonly own?: boolean } = {}) => {
  const { entries, wake } = kit;
  const change = makeChangeByOperator(kit);
  const findUser = makeFindUser(kit);
  const relayAccount = makeRelayAccount(kit, ['event']);

  return async (
    user: string,
    by: Operator,
    action: string,
    decide: (account: Account, now: number) => Act | undefined | Promise<Act | undefined>,
  ): Promise<Acted> => {
    const who = acceptOperator(by);
    const acted = await change<Acted>(await findUser(user), by, { action, own }, async (account, now) => {
      const { id: userId, email } = account;
      const act = await decide(account, now);
      if (act === undefined) return { next: null, answer: { userId, email, changed: false } };
      const { next, before, after, also = [] } = act;
      const row = entries.audit({
        ...who,
        action,
        target: userId,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      });
      const touched = next === account ? account : { ...next, updatedAt: nextChange(account, now) };
      return { next: withPending(touched, row, ...also), answer: { userId, email, changed: true } };
    });
    if (acted.changed) await relayAccount(acted.userId).catch(wake);
    return acted;
  };
};
