import { CoreError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import type { Deps } from '../deps.ts';
import { operatorRole } from '../entitlement.ts';
import { accountNotFound } from '../errors.ts';
import { isFounder, makeGuardFounders, ownAccount } from '../operators/founders.ts';
import { refuseAccess } from '../refuse-access.ts';

const changedMeanwhile = () =>
  new CoreError('conflict', 'changed_meanwhile', 'This user was changed meanwhile; reload, then try again.');

/** An acting operator, and the version of the user that they saw. */
export interface ActingOperator {
  /** The id of an account, or a name of another form, such as `operator:cli`. */
  readonly actor: string;
  /** The row records the caller's request id and address. */
  readonly caller?: Caller;
  /** The user's `updatedAt` as the operator saw it. A user who was changed since then is left unchanged. */
  readonly seen?: string;
}

/** An operator's change of an account: `next` is written; null means that nothing changes. */
interface Change<T> {
  readonly next: Account | null;
  readonly answer: T;
}

type Decide<T> = (account: Account, now: number) => Change<T> | Promise<Change<T>>;

/** The name of an action on a user, and which accounts it may target by operators who act through their own accounts. */
export interface AdminActionRules {
  /** The action of the audit row, such as `user.banned`. The row's target is the user. */
  readonly action: string;
  /** Whether operators may target their own account. Default: true. */
  readonly allowsSelf?: boolean;
  /** Whether only a founder may target a founder. Default: true for actions that may not target the own account. */
  readonly protectsFounders?: boolean;
}

/**
 * Changes one user in one write on behalf of an operator. Throws `missing` (`user_not_found`), `forbidden`
 * (`operators_only`) if only a founder may do this to a founder, and `conflict`: `changed_meanwhile` if the user has
 * changed since the operator saw it, `own_account`, `last_founder`. `operators_only`, `own_account` and `last_founder`
 * do not apply to the command line, which can always appoint operators.
 * See decision 0100.
 */
export const makeChangeByOperator = (deps: Deps) => {
  const { accounts, changeUser, clock, log } = deps;
  const guardFounders = makeGuardFounders(deps);

  const lacksRole = async (account: Account, { actor }: ActingOperator): Promise<boolean> => {
    if (!isId(actor) || actor === account.id) return false;
    if (operatorRole(account.entitlements) !== 'founder') return false;
    const operator = await accounts.find(actor);
    return operator === undefined || !isFounder(operator, clock.now());
  };

  const refusalOf = async (
    account: Account,
    by: ActingOperator,
    rules: AdminActionRules,
  ): Promise<CoreError | undefined> => {
    const { allowsSelf = true, protectsFounders = !allowsSelf } = rules;
    if (!allowsSelf && account.id === by.actor) return ownAccount();
    if (protectsFounders && (await lacksRole(account, by)))
      return refuseAccess(log, by.actor, 'operators_only', by.caller);
    const isSeen = by.seen === undefined || Date.parse(by.seen) === account.updatedAt;
    return isSeen ? undefined : changedMeanwhile();
  };

  return async <T>(
    account: Account,
    by: ActingOperator,
    rules: AdminActionRules,
    decide: Decide<T>,
  ): Promise<T> => {
    const { id } = account;
    const target = { id, isFounder: isFounder(account, clock.now()) };
    let isChanged = false;
    const answer = await guardFounders(target, by.actor, (keepFounder) =>
      changeUser<T>(
        id,
        async (current): Promise<Decision<T>> => {
          const refuse = await refusalOf(current, by, rules);
          if (refuse !== undefined) return { next: null, refuse };
          const decision = await decide(current, clock.now());
          isChanged = decision.next !== null;
          if (decision.next === null) return decision;
          const lastFounder = await keepFounder(current, decision.next);
          return lastFounder === undefined ? decision : { next: null, refuse: lastFounder };
        },
        accountNotFound,
      ),
    );
    const callerFields = by.caller && calledFrom(by.caller);
    if (isChanged) log.info('operator.acted', { userId: id, reason: rules.action, ...callerFields });
    return answer;
  };
};
