import { CoreError, unavailable } from '../../errors.ts';
import type { Account } from '../account.ts';
import type { Needs } from '../needs.ts';
import { type Entries, withPending } from '../pending.ts';
import type { NamedKey } from '../ways-in/login-key.ts';

const ATTEMPTS = 200;

// A login key lies in two documents: its record says whose it is, and the account names it. No write takes in both, so
// their order must do. See decision 0094.
//
// - What an account gains: the account is read, then the record is added, or its mark renewed, then the account is saved
//   as it was read with key and mark. A crash in between leaves a record that its account does not name.
// - Such a record opens nothing. Who wants its key writes the account that does not name it to its next version, so that
//   a save under way fails, and takes the record on condition that its mark is still the one read. A save that comes
//   first makes that write fail; an attempt that read the account after it renews the mark, so the taking fails.
// - What an account loses goes out of the account first, with a task that frees the record by its mark.
//
// So two accounts never both have a key.

export const namedKey = ({ loginKeys }: Account, key: string): NamedKey | undefined =>
  loginKeys.find((named) => named.key === key);

/** The account with the key, in place of one of the same name. */
export const withKey = (account: Account, named: NamedKey): Account => ({
  ...account,
  loginKeys: [...account.loginKeys.filter(({ key }) => key !== named.key), named],
});

/** The account without keys that it had; a task frees each once this is written. */
export const withoutKeys = (entries: Entries, account: Account, keys: readonly string[]): Account => {
  const gone = account.loginKeys.filter(({ key }) => keys.includes(key));
  const loginKeys = account.loginKeys.filter((named) => !gone.includes(named));
  return withPending(
    { ...account, loginKeys },
    ...gone.map((named) => entries.task('free-key', nameKey(named))),
  );
};

/** The account that a login key opens. */
export interface KeyOwner {
  readonly key: string;
  readonly account: Account;
  /** False where account and record have different marks. */
  readonly claimed: boolean;
}

const isThere = (account: Account | undefined): account is Account =>
  account !== undefined && account.deletedAt === null;

/** Finds, claims and frees login keys, by conditional writes of their records. */
export const makeLoginKeys = ({
  accounts,
  loginKeys,
  random,
}: Pick<Needs, 'accounts' | 'loginKeys' | 'random'>) => {
  /** Takes the record of another account that does not name it. False where others were faster. */
  const takeOver = async (found: NamedKey & { readonly userId: string }, next: typeof found) => {
    const other = await accounts.find(found.userId);
    if (isThere(other)) {
      if (namedKey(other, found.key) !== undefined) throw keyTaken();
      if (!(await accounts.save(other))) return false;
    }
    return loginKeys.replace(next, found.mark);
  };

  return {
    /**
     * The account that the key opens. Where a crash has left account and record with different marks, or a claim is
     * just being made, `claimed` is false: then the account has to claim the key anew before it opens.
     */
    async find(key: string): Promise<KeyOwner | undefined> {
      const record = await loginKeys.find(key);
      const account = record && (await accounts.find(record.userId));
      if (!isThere(account)) return undefined;
      const named = namedKey(account, key);
      return named && { key, account, claimed: named.mark === record?.mark };
    },

    /**
     * Claims a key for an account as it was just read, before it is saved at that very version with what this gives.
     * Throws `conflict` (`login_key_taken`) when another account has it.
     */
    async claim({ id: userId }: Account, key: string): Promise<NamedKey> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const next = { key, userId, mark: random.text(16) };
        const found = await loginKeys.find(key);
        const isClaimed =
          found === undefined
            ? await loginKeys.add(next)
            : found.userId === userId
              ? await loginKeys.replace(next, found.mark)
              : await takeOver(found, next);
        if (isClaimed) return { key, mark: next.mark };
      }
      throw unavailable('contended', 'Too many claims of this sign-in at once; try again.', 1);
    },

    /**
     * Frees a key that the account names no more. May be repeated, and later: it frees no claim made since. A tombstone
     * makes none, so whatever claim is its own goes.
     */
    async free({ id, deletedAt }: Account, named: NamedKey): Promise<void> {
      const found = deletedAt === null ? undefined : await loginKeys.find(named.key);
      await loginKeys.remove(found?.userId === id ? found : named);
    },
  };
};

/** How a task names a claim that is to be freed. */
export const nameKey = ({ key, mark }: NamedKey): string => `${key} ${mark}`;

export const keyNamed = (subject: string): NamedKey => {
  const [key = '', mark = ''] = subject.split(' ');
  return { key, mark };
};

/** What a claim throws; each way in says it in words of its own. */
const keyTaken = () =>
  new CoreError('conflict', 'login_key_taken', 'Another account has this way to sign in already.');
