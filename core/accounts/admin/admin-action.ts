import { invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { OBJECT, object, optional, type Schema, TEXT, type TypeOf, text } from '../../schema.ts';
import { type Account, nextChange } from '../account.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { canonicalEmail } from '../email.ts';
import { accountNotFound } from '../errors.ts';
import { makeRelayAccount } from '../outbox/relay.ts';
import { type AuditValue, type Pending, withPending } from '../outbox-entries.ts';
import { type AdminActionRules, makeChangeByOperator } from './change-by-operator.ts';

/** Finds an account by its id, else by its email. Throws `missing` (`user_not_found`), `invalid_email`. */
export const makeFindUser =
  ({ accounts, domains }: Pick<Deps, 'accounts' | 'domains'>) =>
  async (user: string): Promise<Account> => {
    const account = isId(user)
      ? await accounts.find(user)
      : await accounts.findByEmail(canonicalEmail(domains, user));
    if (account === undefined || account.deletedAt !== null) throw accountNotFound();
    return account;
  };

/** Finds the emails of users by id. Names that are no ids, and ids without an account, are left out. */
export const makeFindEmails =
  ({ accounts }: Pick<Deps, 'accounts'>) =>
  async (names: readonly (string | null)[]): Promise<Readonly<Record<string, string>>> => {
    const ids = [...new Set(names)].filter((name) => name !== null && isId(name)) as readonly string[];
    const users = await Promise.all(ids.map((id) => accounts.find(id)));
    return Object.fromEntries(
      users.flatMap((account) =>
        account === undefined || account.deletedAt !== null ? [] : [[account.id, account.email]],
      ),
    );
  };

const operatorMembers = {
  actor: TEXT,
  person: optional(TEXT),
  caller: optional(OBJECT as Schema as Schema<Caller>),
  seen: optional(TEXT),
};
export const operatorInput = object({ ...operatorMembers, reason: optional(TEXT) });
export const reasoningOperatorInput = object({ ...operatorMembers, reason: TEXT });

/**
 * An acting operator as the audit log names them, with the reason. `actor`: the id of an account, or a name of another
 * form, such as `operator:cli`. `person`: the name of the person, if several people act as `actor`. `caller`: the row
 * records its request id and address. `seen`: the user's `updatedAt` as the operator saw it; a user who was changed since
 * then is left unchanged.
 */
export type Operator = TypeOf<typeof operatorInput>;

/** An operator with the reason that the call requires. */
export type ReasoningOperator = TypeOf<typeof reasoningOperatorInput>;

/** The members of every action's input at the console. */
export const actionMembers = {
  reason: text({
    minLength: 1,
    // Characters of two code units count once: `acceptReason` counts them.
    maxLength: 1_000,
    description: 'Why, in 1 to 500 characters: the audit log keeps it',
    examples: ['Asked for by mail'],
  }),
  seen: optional(
    text({
      maxLength: 64,
      description:
        'The user’s `updatedAt` as the page showed it: a user who was changed since then is left alone',
      examples: ['2026-11-20T09:14:00.000Z'],
    }),
  ),
};
export const adminActionInput = object(actionMembers);
/**
 * An operator's input to an action on a user. `reason`: the audit log records it. `seen`: the user's `updatedAt`, ISO
 * 8601, as the operator saw it.
 */
export type AdminActionInput = TypeOf<typeof adminActionInput>;

/** An operator as audit rows and grants record them. */
export interface AcceptedOperator extends Pick<Operator, 'actor' | 'person' | 'reason'> {
  readonly caller: Pick<Caller, 'requestId'> | null;
  readonly address?: string;
}

/** The user of an action; `changed` is false if the action had no effect, and then nothing is written. */
export interface AdminActionResult {
  readonly userId: string;
  readonly email: string;
  readonly changed: boolean;
}

/** The result of a decision: the account, the facts of the audit row before and after, and other entries. */
interface AdminChange {
  readonly next: Account;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
  readonly also?: readonly Pending[];
}

const REASON_LONGEST = 500;

/**
 * A reason may contain line breaks and tabs, but no other control characters that a terminal or a log interprets, and
 * no characters that change the direction of the text after them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** A reason must have a visible character: blanks and invisible characters alone are not a reason. */
const READABLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a terminal, a log or a page can display the reason unchanged. */
export const isShowableReason = (reason: string): boolean => READABLE.test(reason) && !UNFIT.test(reason);

/** Validates a reason and returns it as it is recorded. Throws `invalid` (`invalid_reason`). */
export const acceptReason = (text: string): string => {
  const reason = text.trim();
  if (!isShowableReason(reason) || [...reason].length > REASON_LONGEST) {
    throw invalid('invalid_reason', `The reason must have 1 to ${REASON_LONGEST} readable characters.`);
  }
  return reason;
};

const PERSON_LONGEST = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Validates a person's name and returns it as it is recorded. Throws `invalid` (`invalid_person`). */
export const acceptPerson = (text: string): string => {
  const person = text.trim();
  if (person === '' || [...person].length > PERSON_LONGEST || CONTROL.test(person)) {
    throw invalid('invalid_person', `The name must have 1 to ${PERSON_LONGEST} printable characters.`);
  }
  return person;
};

/**
 * Validates an operator and the reason, and returns them as rows record them. Throws `invalid` (`invalid_reason`,
 * `invalid_person`).
 */
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
 * Applies an action to one user in one write, with its audit row. `decide` returns undefined if there is nothing to
 * change. Throws as `makeChangeByOperator` and `acceptOperator` do. Relays the row, mails and ended sessions before the
 * call returns, so that an operator sees them at once.
 * See decision 0064.
 */
export const makeAdminAction = (deps: Deps, rules: AdminActionRules) => {
  const { action } = rules;
  const { entries, wake } = deps;
  const change = makeChangeByOperator(deps);
  const findUser = makeFindUser(deps);
  const relayAccount = makeRelayAccount(deps, ['event']);

  return async (
    user: string,
    by: Operator,
    decide: (account: Account, now: number) => AdminChange | undefined | Promise<AdminChange | undefined>,
  ): Promise<AdminActionResult> => {
    const operator = acceptOperator(by);
    const result = await change<AdminActionResult>(await findUser(user), by, rules, async (account, now) => {
      const { id: userId, email } = account;
      const decision = await decide(account, now);
      if (decision === undefined) return { next: null, answer: { userId, email, changed: false } };
      const { next, before, after, also = [] } = decision;
      const row = entries.audit({
        ...operator,
        action,
        target: userId,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      });
      const touched = next === account ? account : { ...next, updatedAt: nextChange(account, now) };
      return { next: withPending(touched, row, ...also), answer: { userId, email, changed: true } };
    });
    if (result.changed) await relayAccount(result.userId).catch(wake);
    return result;
  };
};
