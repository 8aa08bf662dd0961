import { unavailable } from '../errors.ts';
import { type Account, exists, isFinallyDeleted } from './account.ts';
import type { LoginKeyClaim, LoginKeyRecord } from './login-key.ts';
import { type Entries, withPending } from './outbox-entries.ts';
import type { AccountsPorts } from './ports.ts';

const ATTEMPTS = 200;

/** The id of no account. */
const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';

// A login key is stored in two documents: its record names the account, and the account names the key. No write covers
// both, so their order ensures that two accounts never both have a key. See decision 0094.
//
// - Adding a key: the account is read, then the record is added, or gets a new claim id (`mark`), then the account is
// saved at the version read, with key and claim id. A crash in between leaves a record that its account does not name.
// - Such a record opens no account. Suppose that it names account A, and that account B claims the key:
//   1. B rewrites A without a change. A save of A that is under way then fails; if it came first, the rewrite fails.
//   2. B replaces the record. This fails if A has claimed the key again meanwhile, since that renews the claim id.
//   If either fails, B starts over.
// - Removing a key: the account drops it first, with a task that frees the record by its claim id.

export const loginKeyClaim = ({ loginKeys }: Account, key: string): LoginKeyClaim | undefined =>
  loginKeys.find((loginKey) => loginKey.key === key);

/** The account with the login key, which replaces an entry for the same key. */
export const withKey = (account: Account, loginKey: LoginKeyClaim): Account => ({
  ...account,
  loginKeys: [...account.loginKeys.filter(({ key }) => key !== loginKey.key), loginKey],
});

/** The account without some login keys; after the write a task frees each of them. */
export const withoutKeys = (entries: Entries, account: Account, keys: readonly string[]): Account => {
  const removed = account.loginKeys.filter(({ key }) => keys.includes(key));
  const loginKeys = account.loginKeys.filter((loginKey) => !removed.includes(loginKey));
  return withPending(
    { ...account, loginKeys },
    ...removed.map((loginKey) => entries.task('free-key', formatClaim(loginKey))),
  );
};

/** A login key with the account that it opens. */
export interface KeyOwner {
  readonly key: string;
  readonly account: Account;
  /** False if account and record belong to different claims. */
  readonly claimed: boolean;
}

/** Finds, claims and frees login keys, by conditional writes of their records. */
export const makeLoginKeys = (ports: Pick<AccountsPorts, 'accounts' | 'loginKeys' | 'random'>) => {
  const { accounts, loginKeys, random } = ports;
  /**
   * Adds a record, or puts it in place of the one that was read. False if another claim was faster; `taken` if the record
   * that was read belongs to another account, and that account names the key.
   */
  const put = async (
    record: LoginKeyRecord | undefined,
    next: LoginKeyRecord,
  ): Promise<boolean | 'taken'> => {
    if (record === undefined) return loginKeys.add(next);
    const holder = record.userId === next.userId ? undefined : await accounts.find(record.userId);
    // The save stops a write of the holder that is about to claim the key, also the one that undoes a waiting deletion.
    if (holder !== undefined && (holder.deletedAt === null || holder.waitingDeletion !== null)) {
      if (loginKeyClaim(holder, record.key) !== undefined) return 'taken';
      if (!(await accounts.save(holder))) return false;
    }
    return loginKeys.replace(next, record.mark);
  };

  /** The account to read for an unknown key: the first one that `findEvenly` found in this process. */
  let decoyId = NOBODYS_ID;

  const ownerOf = async ({ key, userId, mark }: LoginKeyRecord): Promise<KeyOwner | undefined> => {
    const account = await accounts.find(userId);
    const loginKey = exists(account) ? loginKeyClaim(account, key) : undefined;
    return account && loginKey && { key, account, claimed: loginKey.mark === mark };
  };

  return {
    /**
     * Finds the account that the key opens. If a crash has left account and record with different claim ids, or a claim
     * is under way, `claimed` is false: then the account must claim the key again before it opens.
     */
    find: async (key: string): Promise<KeyOwner | undefined> => {
      const record = await loginKeys.find(key);
      return record && ownerOf(record);
    },

    /**
     * Like `find`, but reads an account for an unknown key, too: the response time must not reveal which keys are known,
     * and reading an existing account takes longer. It is always the same account while that exists, so that nobody can
     * have a larger one read in its place.
     */
    findEvenly: async (key: string): Promise<KeyOwner | undefined> => {
      const record = await loginKeys.find(key);
      if (record === undefined) {
        if (!exists(await accounts.find(decoyId))) decoyId = NOBODYS_ID;
        return undefined;
      }
      const owner = await ownerOf(record);
      if (decoyId === NOBODYS_ID && owner !== undefined) decoyId = owner.account.id;
      return owner;
    },

    /**
     * Claims a key for an account that was just read. The caller then saves the account at that version, with the entry
     * that this returns; `taken` if another account has the key.
     */
    async claim({ id: userId }: Account, key: string): Promise<LoginKeyClaim | 'taken'> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const next = { key, userId, mark: random.text(16) };
        const outcome = await put(await loginKeys.find(key), next);
        if (outcome === 'taken') return outcome;
        if (outcome) return { key, mark: next.mark };
      }
      throw unavailable('contended', 'Too many claims of this sign-in at once; try again.', 1);
    },

    /**
     * Frees a key that the account no longer names. The call may be late or repeated, so it frees only the given claim, and no
     * newer one. A finally deleted account is the exception: it names no keys, so its newer claim is freed, too, such as one that
     * the deletion overtook. A waiting deletion is not final: a restoration may have claimed the account's keys again.
     */
    async free(account: Account, loginKey: LoginKeyClaim): Promise<void> {
      const record = isFinallyDeleted(account) ? await loginKeys.find(loginKey.key) : undefined;
      await loginKeys.remove(record?.userId === account.id ? record : loginKey);
    },
  };
};

/** The subject of a task that frees a claim. */
export const formatClaim = ({ key, mark }: LoginKeyClaim): string => `${key} ${mark}`;

export const parseClaim = (subject: string): LoginKeyClaim => {
  const [key = '', mark = ''] = subject.split(' ');
  return { key, mark };
};
