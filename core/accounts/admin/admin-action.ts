import { CoreError, invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { OBJECT, object, optional, type Schema, TEXT, type TypeOf, text } from '../../schema.ts';
import { type Account, nextChange } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision, Retry } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { isShowable } from '../display-name.ts';
import { operatorRole } from '../entitlement.ts';
import { accountNotFound, refuseAccess } from '../errors.ts';
import { type ActorFacts, isFounder, makeGuardFounders, ownAccount } from '../operators.ts';
import { makeRelayAccount } from '../outbox/relay.ts';
import { type AuditValue, type Pending, withPending } from '../outbox-entries.ts';
import { findUser } from './find-user.ts';

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

const REASON_LONGEST = 500;

export const REASON_FACTS = {
  // Coarser than the rule: `acceptReason` trims the text before it counts the characters.
  maxLength: 1_000,
  description: `Why, in 1 to ${REASON_LONGEST} characters: the audit log keeps it`,
};

/** The members of every action's input at the console. */
export const actionMembers = {
  reason: text({ ...REASON_FACTS, minLength: 1, examples: ['Asked for by mail'] }),
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
/** An operator's input to an action on a user. */
export type AdminActionInput = TypeOf<typeof adminActionInput>;

/** An operator as audit rows and grants record them. */
export interface AcceptedOperator extends ActorFacts {
  readonly reason?: string;
  readonly caller: Pick<Caller, 'requestId'> | null;
}

/**
 * A reason may contain line breaks and tabs, but no other control characters that a terminal or a log interprets, and
 * no characters that change the direction of the text after them.
 */
const UNSHOWABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** A reason must have a visible character: blanks and invisible characters alone are not a reason. */
const READABLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a reason is short enough, and a terminal, a log and a page can display it unchanged. */
export const isShowableReason = (reason: string): boolean =>
  READABLE.test(reason) && !UNSHOWABLE.test(reason) && [...reason].length <= REASON_LONGEST;

/** Validates a reason and returns it as it is recorded. Throws `invalid` (`invalid_reason`). */
export const acceptReason = (text: string): string => {
  const reason = text.trim();
  if (!isShowableReason(reason)) {
    throw invalid('invalid_reason', `The reason must have 1 to ${REASON_LONGEST} readable characters.`);
  }
  return reason;
};

const PERSON_LONGEST = 64;

/** Validates a person's name and returns it as it is recorded. Throws `invalid` (`invalid_person`). */
export const acceptPerson = (text: string): string => {
  const person = text.trim();
  if (person === '' || !isShowable(person, PERSON_LONGEST)) {
    throw invalid('invalid_person', `The name must have 1 to ${PERSON_LONGEST} printable characters.`);
  }
  return person;
};

/** Validates an operator, and returns them as rows record them. Throws `invalid` (`invalid_reason`, `invalid_person`). */
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

/** The name of an action on a user, and the accounts that an operator with an account may target. */
export interface AdminActionRules {
  /** The action of the audit row, such as `user.banned`. The row's target is the user. */
  readonly action: string;
  /** Whether operators may target their own account. Default: true. */
  readonly allowsSelf?: boolean;
  /** Whether only a founder may target a founder. Default: true for actions that may not target the operator's own account. */
  readonly protectsFounders?: boolean;
}

const changedMeanwhile = () =>
  new CoreError('conflict', 'changed_meanwhile', 'This user was changed meanwhile; reload, then try again.');

/** An operator's change of an account: `next` is written; null means that nothing changes. */
interface Change<T> {
  readonly next: Account | null;
  readonly answer: T;
}

/**
 * Changes one user in one write on behalf of an operator. Throws the refusals that `Admin` names; the rules about operators'
 * own accounts and about founders do not apply to the command line, which can always appoint operators. See decision 0100.
 */
export const makeChangeByOperator = (deps: Deps) => {
  const { accounts, changeUser, clock, log } = deps;
  const guardFounders = makeGuardFounders(deps);

  /**
   * Whether the target is a founder, and the operator acts through another account that is not a founder's. A banned or
   * disabled founder is protected by the role, but cannot act by it.
   */
  const isProtectedFrom = async (account: Account, { actor }: Operator): Promise<boolean> => {
    if (!isId(actor) || actor === account.id) return false;
    if (operatorRole(account.entitlements) !== 'founder') return false;
    const operator = await accounts.find(actor);
    return operator === undefined || !isFounder(operator, clock.now());
  };

  const refusalOf = async (
    account: Account,
    by: Operator,
    rules: AdminActionRules,
  ): Promise<CoreError | undefined> => {
    const { allowsSelf = true, protectsFounders = !allowsSelf } = rules;
    if (!allowsSelf && account.id === by.actor) return ownAccount();
    if (protectsFounders && (await isProtectedFrom(account, by)))
      return refuseAccess(log, by.actor, 'operators_only', by.caller);
    const isOutdated = by.seen !== undefined && Date.parse(by.seen) !== account.updatedAt;
    return isOutdated ? changedMeanwhile() : undefined;
  };

  return async <T>(
    account: Account,
    by: Operator,
    rules: AdminActionRules,
    decide: (account: Account, now: number) => Change<T> | Promise<Change<T>>,
  ): Promise<T> => {
    const { id } = account;
    let isChanged = false;
    const answer = await guardFounders(isFounder(account, clock.now()), by.actor, (keepFounder) =>
      changeUser<T>(
        id,
        async (current): Promise<Decision<T> | Retry> => {
          const refuse = await refusalOf(current, by, rules);
          if (refuse !== undefined) return { next: null, refuse };
          const decision = await decide(current, clock.now());
          isChanged = decision.next !== null;
          if (decision.next === null) return decision;
          // Refuses a change after which no founder could enter the console.
          return (await keepFounder(current, decision.next)) ?? decision;
        },
        accountNotFound,
      ),
    );
    const callerFields = by.caller && calledFrom(by.caller);
    // The log's `reason` names the action. The operator's reason stands in the audit log alone.
    if (isChanged) log.info('operator.acted', { userId: id, reason: rules.action, ...callerFields });
    return answer;
  };
};

/** The user after an action; `changed` is false if the action had no effect, and then nothing is written. */
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

/** Undefined if there is nothing to change. */
type AdminDecision = AdminChange | undefined;

/**
 * Applies an action to one user in one write, with its audit row. Throws as `findUser`, `makeChangeByOperator` and
 * `acceptOperator` do. Relays the row, mails and ended sessions before the call returns, so that an operator sees them at
 * once. See decision 0064.
 */
export const makeAdminAction = (deps: Deps, rules: AdminActionRules) => {
  const { action } = rules;
  const { entries, wake } = deps;
  const change = makeChangeByOperator(deps);
  // The command line runs actions too and has no event listeners: a server relays the events.
  const relayAllButEvents = makeRelayAccount(deps, ['event']);

  return async (
    user: string,
    by: Operator,
    decide: (account: Account, now: number) => AdminDecision | Promise<AdminDecision>,
  ): Promise<AdminActionResult> => {
    const operator = acceptOperator(by);
    const result = await change<AdminActionResult>(
      await findUser(deps, user),
      by,
      rules,
      async (account, now) => {
        const userId = account.id;
        const decision = await decide(account, now);
        const email = (decision?.next ?? account).email;
        const answer = { userId, email, changed: decision !== undefined };
        if (decision === undefined) return { next: null, answer };
        const { next, also = [], ...facts } = decision;
        const row = entries.audit({ ...operator, action, target: userId, ...facts });
        // An action that only adds entries to the account, such as an export, leaves `updatedAt`.
        const updated = next === account ? account : { ...next, updatedAt: nextChange(account, now) };
        return { next: withPending(updated, row, ...also), answer };
      },
    );
    // After a failure, the background work relays the entries.
    if (result.changed) await relayAllButEvents(result.userId).catch(wake);
    return result;
  };
};

/** Makes an action that is one decision about the account, as `makeAdminAction` applies it. */
export const defineAction =
  <Input>(
    decide: (
      deps: Deps,
      account: Account,
      now: number,
      input: Input,
    ) => AdminDecision | Promise<AdminDecision>,
  ) =>
  (deps: Deps, rules: AdminActionRules) => {
    const runAction = makeAdminAction(deps, rules);
    return (user: string, by: Operator, input: Input): Promise<AdminActionResult> =>
      runAction(user, by, (account, now) => decide(deps, account, now, input));
  };
