import { CoreError, unavailable } from '../../../errors.ts';
import { isId } from '../../../ids.ts';
import type { Account } from '../../account.ts';
import type { Decision } from '../../change-account.ts';
import { accountNotFound } from '../../errors.ts';
import type { Kit } from '../../kit.ts';
import { type Caller, calledFrom } from '../../needs.ts';
import { isFounder, lastFounder, makeFounders } from './founders.ts';

const changedMeanwhile = () =>
  new CoreError('conflict', 'changed_meanwhile', 'This user was changed meanwhile; look again first.');

const ownAccount = () =>
  new CoreError('conflict', 'own_account', 'Operators may not do this to their own account.');

/** Thrown to begin anew: a founder was to go, and the record had changed. Nobody outside sees it. */
const GIVE_WAY = new CoreError('conflict', 'contended', 'Founders change.');

const ATTEMPTS = 50;

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
  const { changeUser, clock, foundersInTurn, log } = kit;
  const founders = makeFounders(kit);

  const refusalOf = (account: Account, by: Acting, { own }: Rules): CoreError | undefined => {
    if (!own && account.id === by.actor) return ownAccount();
    const isSeen = by.seen === undefined || Date.parse(by.seen) === account.updatedAt;
    return isSeen ? undefined : changedMeanwhile();
  };

  const decideUnder =
    <T>(by: Acting, rules: Rules, decide: Decide<T>) =>
    async (account: Account, isAgain: boolean): Promise<Decision<T>> => {
      const refuse = refusalOf(account, by, rules);
      if (refuse !== undefined) return { next: null, refuse };
      const now = clock.now();
      const made = await decide(account, now);
      const isLoss = made.next !== null && isFounder(account, now) && !isFounder(made.next, now);
      if (!isLoss || !isId(by.actor)) return made;
      if (isAgain) return { next: null, refuse: GIVE_WAY };
      return (await founders.oneStays(account, by.actor, now)) ? made : { next: null, refuse: lastFounder() };
    };

  return async <T>(found: Account, by: Acting, rules: Rules, decide: Decide<T>): Promise<T> => {
    const { id } = found;
    const decideOnce = decideUnder(by, rules, decide);
    let changed = false;
    const change = () => {
      let attempts = 0;
      return changeUser<T>(
        id,
        async (account) => {
          attempts += 1;
          const made = await decideOnce(account, attempts > 1);
          changed = made.next !== null;
          return made;
        },
        accountNotFound,
      );
    };
    const changeAtLast = async (): Promise<T> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        try {
          return await change();
        } catch (error) {
          if (error !== GIVE_WAY) throw error;
        }
        await founders.giveWay(id);
      }
      throw unavailable('contended', 'Too many changes of founders at once; try again.', 1);
    };
    const answer = await (isFounder(found, clock.now())
      ? foundersInTurn('founders', changeAtLast)
      : changeAtLast());
    const from = by.caller === undefined ? {} : calledFrom(by.caller);
    if (changed) log.info('operator.acted', { userId: id, reason: rules.action, ...from });
    return answer;
  };
};
