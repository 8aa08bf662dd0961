import { type CoreError, unavailable } from '../errors.ts';
import { makeTurns } from '../keyed-mutex.ts';
import type { Account } from './account.ts';
import { invalidToken } from './errors.ts';
import type { Needs } from './needs.ts';

/**
 * What a use case made of the account it read: `next` is written (null: nothing to write), then `answer` is given
 * or `refuse` thrown. A refusal that counts a wrong try has both `next` and `refuse`.
 */
export type Decision<T> =
  | { readonly next: Account | null; readonly answer: T }
  | { readonly next: Account | null; readonly refuse: CoreError };

const ATTEMPTS = 200;

/** The account was written by somebody else since it was read. */
const CONFLICT = Symbol('conflict');

/**
 * Reads, decides, and writes on condition that nobody wrote in between; otherwise begins again. This is what makes
 * every single-use rule hold: of any number of parallel callers one writes, the others decide anew on what it left.
 * After a conflict those of this process take turns, since all at once would spoil it for each other again and again.
 */
export const makeChangeAccount = ({ accounts, wake }: Pick<Needs, 'accounts' | 'wake'>) => {
  const inTurn = makeTurns();

  return async <T>(
    find: () => Promise<Account | undefined>,
    decide: (account: Account | undefined) => Decision<T> | Promise<Decision<T>>,
  ): Promise<T> => {
    let contended = '';
    const attempt = async (): Promise<T | typeof CONFLICT> => {
      const decision = await decide(await find());
      if (decision.next !== null) {
        contended = decision.next.id;
        if (!(await accounts.save(decision.next))) return CONFLICT;
        if (decision.next.pending.length > 0) wake();
      }
      if ('refuse' in decision) throw decision.refuse;
      return decision.answer;
    };

    const first = await attempt();
    if (first !== CONFLICT) return first;
    return inTurn(contended, async () => {
      for (let attempts = 1; attempts < ATTEMPTS; attempts += 1) {
        const answer = await attempt();
        if (answer !== CONFLICT) return answer;
      }
      throw unavailable('contended', 'Too many changes of this account at once; try again.', 1);
    });
  };
};

export type ChangeAccount = ReturnType<typeof makeChangeAccount>;

/** Changes the account with an id. Throws what `gone` gives when it is missing or deleted. */
export const makeChangeUser =
  (accounts: Needs['accounts'], change: ChangeAccount) =>
  <T>(
    id: string,
    decide: (account: Account) => Decision<T> | Promise<Decision<T>>,
    gone: () => CoreError = invalidToken,
  ): Promise<T> =>
    change(
      () => accounts.find(id),
      (account) =>
        account === undefined || account.deletedAt !== null
          ? { next: null, refuse: gone() }
          : decide(account),
    );

export type ChangeUser = ReturnType<typeof makeChangeUser>;
