import { CoreError } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { accountNotFound } from '../errors.ts';
import { makeKeepFounder } from '../founders/keep-one.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';

const changedMeanwhile = () =>
  new CoreError('conflict', 'changed_meanwhile', 'This user was changed meanwhile; look again first.');

const ownAccount = () =>
  new CoreError('conflict', 'own_account', 'Operators may not do this to their own account.');

/** Who acts, and what they saw. */
export interface Acting {
  /** The id of an account, or a name of another form, such as `operator:cli`. */
  readonly actor: string;
  /** From where they act: the row has the request id and the address. */
  readonly caller?: Caller;
  /** The user's `updatedAt` as the operator saw it. One that was changed since then is left alone. */
  readonly seen?: string;
}

/** What an operator makes of an account: `next` is written, null when there is nothing to change. */
interface Change<T> {
  readonly next: Account | null;
  readonly answer: T;
}

type Decide<T> = (account: Account, now: number) => Change<T> | Promise<Change<T>>;

interface Rules {
  /** The row's action, for the process log. */
  readonly action: string;
  /** Whether operators may do it to themselves. */
  readonly own: boolean;
}

/**
 * Changes one user in one write at an operator's word. Throws `missing` (`user_not_found`) and `conflict`:
 * `changed_meanwhile` where the user is not as the operator saw it, `own_account`, `last_founder`. The last two hold for
 * operators who act by their accounts: whoever has the command line can appoint anew.
 * See decision 0100.
 */
export const makeChangeByOperator = (kit: Kit) => {
  const { changeUser, clock, log } = kit;
  const keepFounder = makeKeepFounder(kit);

  const refusalOf = (account: Account, by: Acting, { own }: Rules): CoreError | undefined => {
    if (!own && account.id === by.actor) return ownAccount();
    const isSeen = by.seen === undefined || Date.parse(by.seen) === account.updatedAt;
    return isSeen ? undefined : changedMeanwhile();
  };

  return async <T>({ id }: Account, by: Acting, rules: Rules, decide: Decide<T>): Promise<T> => {
    let changed = false;
    const answer = await keepFounder(id, by.actor, (judge) =>
      changeUser(
        id,
        async (account): Promise<Decision<T>> => {
          const unfit = refusalOf(account, by, rules);
          if (unfit !== undefined) return { next: null, refuse: unfit };
          const made = await decide(account, clock.now());
          const refuse = made.next === null ? undefined : await judge(account, made.next);
          changed = made.next !== null;
          return refuse === undefined ? made : { next: null, refuse };
        },
        accountNotFound,
      ),
    );
    const from = by.caller === undefined ? {} : calledFrom(by.caller);
    if (changed) log.info('operator.acted', { userId: id, reason: rules.action, ...from });
    return answer;
  };
};
