import { type CoreError, unavailable } from '../errors.ts';
import { makeKeyedMutex } from '../keyed-mutex.ts';
import { type Account, exists } from './account.ts';
import { invalidToken } from './errors.ts';
import type { AccountsPorts } from './ports.ts';
import type { Principal } from './principal.ts';

/**
 * The decision of a use case about the account it read: `next` is written (null: nothing to write), then `answer` is
 * returned or `refuse` thrown. A refusal that counts a wrong attempt has both `next` and `refuse`. If `next` was not
 * written, `undo` reverts the other effects of the decision.
 */
export type Decision<T> =
  | { readonly next: Account | null; readonly answer: T; readonly undo?: Undo }
  | Refusal;

export interface Refusal {
  readonly next: Account | null;
  readonly refuse: CoreError;
  readonly undo?: undefined;
}

/** Lets another change go first: after this time, the account is read again and decided about anew. */
export interface Retry {
  readonly retryAfterMs: number;
}

type Undo = () => Promise<void>;

/** A failed undo is repeated once. The error of a second failure ends the change; the effects that remain are harmless. */
export const undoWithRetry = (undo: Undo): Promise<void> => undo().catch(undo);

type Decide<Read, T> = (account: Read) => Decision<T> | Retry | Promise<Decision<T> | Retry>;

const ATTEMPTS = 200;

/**
 * The most pending entries of an account: a change that adds more is refused. So many wait only while the relay fails.
 * An entry has some 5 KB at the most, and a document of MongoDB 16 MB.
 */
export const MOST_PENDING = 1_000;

const tooManyPending = () =>
  unavailable(
    'contended',
    'Too many mails and records of this account wait to be sent; try again later.',
    30,
  );

/** The outcome of an attempt. `conflict`: the id of an account that another write changed, or must change first (`Retry`). */
type Outcome<T> = { readonly answer: T } | { readonly conflict: string };

/**
 * Reads an account, decides, and writes it if no other write came in between; otherwise it starts over. Every
 * single-use rule rests on this: if fifty requests use one code at once, one write succeeds, and the others decide
 * again on its result. After a conflict the calls of this process queue up per account, so that they do not overtake
 * each other again and again. `initialAccount` is an account that the caller has just read; it saves the first read.
 * Throws `unavailable` (`contended`), also if too many entries wait. See decision 0001.
 */
export const makeChangeAccount = ({
  accounts,
  wake,
  delay = async () => undefined,
}: Pick<AccountsPorts, 'accounts' | 'wake' | 'delay'>) => {
  const inTurn = makeKeyedMutex();

  const write = async (next: Account, undo: Undo | undefined): Promise<boolean> => {
    const saved = await accounts.save(next).catch(async (error: unknown) => {
      await undo?.().catch(() => undefined);
      throw error;
    });
    if (!saved) await (undo && undoWithRetry(undo));
    else if (next.pending.length > 0) wake();
    return saved;
  };

  return async <T>(
    find: () => Promise<Account | undefined>,
    decide: Decide<Account | undefined, T>,
    initialAccount?: Account,
  ): Promise<T> => {
    const attempt = async (account: Account | undefined): Promise<Outcome<T>> => {
      const decision = await decide(account);
      if ('retryAfterMs' in decision) {
        await delay(decision.retryAfterMs);
        return { conflict: account?.id ?? '' };
      }
      const { next } = decision;
      if (next !== null && next.pending.length > Math.max(MOST_PENDING, account?.pending.length ?? 0)) {
        await decision.undo?.().catch(() => undefined);
        throw tooManyPending();
      }
      if (next !== null && !(await write(next, decision.undo))) return { conflict: next.id };
      if ('refuse' in decision) throw decision.refuse;
      return { answer: decision.answer };
    };

    const firstOutcome = await attempt(initialAccount ?? (await find()));
    if ('answer' in firstOutcome) return firstOutcome.answer;
    return inTurn(firstOutcome.conflict, async () => {
      for (let attempts = 1; attempts < ATTEMPTS; attempts += 1) {
        const outcome = await attempt(await find());
        if ('answer' in outcome) return outcome.answer;
      }
      throw unavailable('contended', 'Too many changes of this account at once; try again.', 1);
    });
  };
};

export type ChangeAccount = ReturnType<typeof makeChangeAccount>;

/** Changes the account with an id. Throws the error of `notFound` if it is missing or deleted. */
export const makeChangeUser =
  (accounts: AccountsPorts['accounts'], change: ChangeAccount) =>
  <T>(id: string, decide: Decide<Account, T>, notFound: () => CoreError = invalidToken): Promise<T> =>
    change(
      () => accounts.find(id),
      (account) => (!exists(account) ? { next: null, refuse: notFound() } : decide(account)),
    );

export type ChangeUser = ReturnType<typeof makeChangeUser>;

/** Finds the account of an authenticated user. Throws `unauthenticated` (`invalid_token`) if it was deleted meanwhile. */
export const findOwnAccount = async (
  { accounts }: Pick<AccountsPorts, 'accounts'>,
  { user }: Pick<Principal, 'user'>,
): Promise<Account> => {
  const account = await accounts.find(user.id);
  if (!exists(account)) throw invalidToken();
  return account;
};

/**
 * Changes the account of an authenticated user. Another change, such as a new password, may have ended the user's sessions
 * meanwhile by a new `sessionEpoch`. An ended session may be a thief's, so it changes nothing; `refusal` is the error.
 */
export const changeOwnAccount = <T>(
  { changeUser }: { readonly changeUser: ChangeUser },
  { user }: Pick<Principal, 'user'>,
  decide: Decide<Account, T>,
  refusal: (account: Account) => CoreError = invalidToken,
): Promise<T> =>
  changeUser<T>(user.id, (account) =>
    account.sessionEpoch === user.sessionEpoch ? decide(account) : { next: null, refuse: refusal(account) },
  );
