import { type CoreError, unavailable } from '../errors.ts';
import type { Account } from './account.ts';
import type { Needs } from './needs.ts';

/**
 * What a use case made of the account it read: `next` is written (null: nothing to write), then `answer` is given
 * or `refuse` thrown. A refusal that counts a wrong try has both `next` and `refuse`.
 */
export type Decision<T> =
  | { readonly next: Account | null; readonly answer: T }
  | { readonly next: Account | null; readonly refuse: CoreError };

const ATTEMPTS = 200;

/**
 * Reads, decides, and writes on condition that nobody wrote in between; otherwise begins again. This is what makes
 * every single-use rule hold: of any number of parallel callers one writes, the others decide anew on what it left.
 */
export const makeChangeAccount =
  ({ accounts, wake }: Pick<Needs, 'accounts' | 'wake'>) =>
  async <T>(
    find: () => Promise<Account | undefined>,
    decide: (account: Account | undefined) => Decision<T> | Promise<Decision<T>>,
  ): Promise<T> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const decision = await decide(await find());
      if (decision.next !== null) {
        if (!(await accounts.save(decision.next))) continue;
        if (decision.next.pending.length > 0) wake();
      }
      if ('refuse' in decision) throw decision.refuse;
      return decision.answer;
    }
    throw unavailable('contended', 'Too many changes of this account at once; try again.', 1);
  };

export type ChangeAccount = ReturnType<typeof makeChangeAccount>;
