import { expect } from 'chai';
import { makeMemoryObjects } from '../../../../adapters/memory/object-store.ts';
import type { Statement, Unit } from '../../../../adapters/sql/database.ts';
import { sqlPorts } from '../../../../adapters/sql/ports.ts';
import { openDatabaseInMemory } from '../../../../adapters/sqlite/database.ts';
import { tombstoneOf } from '../../../../core/accounts/account.ts';
import { loginKeyClaim, makeLoginKeys, withKey } from '../../../../core/accounts/claim-login-keys.ts';
import { CoreError } from '../../../../core/errors.ts';
import type { Random } from '../../../../core/ports.ts';
import { NOW, sampleAccount } from '../../../contracts/samples.ts';
import { intercept } from '../open-core.ts';
import type { Program } from './schedule.ts';

const KEY = 'oidc:key';

/** The stored state at the start: a record, the marks with which accounts name the key, and deleted accounts. */
export interface Beginning {
  readonly record?: { readonly of: string; readonly mark: string };
  readonly named?: Readonly<Record<string, string>>;
  readonly deleted?: readonly string[];
}

export const BEGINNINGS = {
  nothing: {},
  'Ada has the key': { record: { of: 'ada', mark: 'first' }, named: { ada: 'first' } },
  'Ada names the key with an older mark than its record': {
    record: { of: 'ada', mark: 'second' },
    named: { ada: 'first' },
  },
  'an orphan of Ada': { record: { of: 'ada', mark: 'first' } },
  'an orphan of Cyd': { record: { of: 'cyd', mark: 'first' } },
  'an orphan of a deleted account': { record: { of: 'dora', mark: 'first' }, deleted: ['dora'] },
  'an orphan of an unknown account': { record: { of: 'nobody', mark: 'first' } },
} as const satisfies Readonly<Record<string, Beginning>>;

export type Operation = 'add' | 'drop' | 'delete' | 'touch' | 'sign in';

const memory = openDatabaseInMemory();
let writes = 0;
const database: typeof memory = {
  ...memory,
  write: async (unit) => {
    const outcome = await memory.write(unit);
    writes += 1;
    return outcome;
  },
};
const portsOn = (database: typeof memory) =>
  sqlPorts(database, {
    clock: { now: () => NOW },
    objects: makeMemoryObjects({ now: () => NOW }),
  });
const { accounts, loginKeys } = portsOn(database);

const EMPTY = ['accounts', 'login_keys'].map((table) => ({ sql: `DELETE FROM ${table}`, params: [] }));

/** The statements that empty the store and write a beginning, recorded from the ports the first time. */
const beginnings = new Map<Beginning, Unit>();

const statementsOf = async ({ record, named = {}, deleted = [] }: Beginning): Promise<Unit> => {
  const statements: Statement[] = [...EMPTY];
  const { accounts, loginKeys } = portsOn({
    ...database,
    write: async (unit) => {
      statements.push(...unit);
      return database.write(unit);
    },
  });
  await database.write(EMPTY);
  for (const id of ['ada', 'bob', 'cyd', ...deleted]) {
    const mark = named[id];
    const ownKeys = mark === undefined ? [] : [{ key: KEY, mark }];
    const account = sampleAccount(id, { verified: true, loginKeys: ownKeys });
    await accounts.add(deleted.includes(id) ? tombstoneOf(account, NOW) : account);
  }
  if (record !== undefined) await loginKeys.add({ key: KEY, userId: record.of, mark: record.mark });
  return statements;
};

/** A store in which each call waits for its turn, and operations on it. One at a time, as all share a database. */
export const makeModel = async (beginning: Beginning) => {
  const statements = beginnings.get(beginning) ?? (await statementsOf(beginning));
  beginnings.set(beginning, statements);
  expect(await database.write(statements)).to.include({ done: true });
  let marks = 0;
  let writesChecked = -1;
  const random: Random = {
    bytes: (count) => new Uint8Array(count),
    text: () => {
      marks += 1;
      return `mark ${marks}`;
    },
  };

  const open = (turn: () => Promise<void>) => {
    const before = async (call: () => Promise<unknown>) => {
      await turn();
      return call();
    };
    const gated = {
      accounts: intercept(accounts, before),
      loginKeys: intercept(loginKeys, before),
    };
    return { ...gated, keys: makeLoginKeys({ ...gated, random }) };
  };

  const OPERATIONS: Readonly<
    Record<Operation, (opened: ReturnType<typeof open>, id: string) => Promise<string>>
  > = {
    add: async ({ accounts, keys }, id) => {
      for (;;) {
        const account = await accounts.find(id);
        if (account === undefined || account.deletedAt !== null) return 'gone';
        const claim = await keys.claim(account, KEY);
        if (claim === 'taken') return claim;
        if (await accounts.save(withKey(account, claim))) return 'added';
      }
    },
    drop: async ({ accounts, keys }, id) => {
      for (;;) {
        const account = await accounts.find(id);
        const claim = account && loginKeyClaim(account, KEY);
        if (account === undefined || claim === undefined) return 'nothing to drop';
        if (!(await accounts.save({ ...account, loginKeys: [] }))) continue;
        await keys.free(account, claim);
        return 'dropped';
      }
    },
    delete: async ({ accounts, keys }, id) => {
      for (;;) {
        const account = await accounts.find(id);
        if (account === undefined || account.deletedAt !== null) return 'gone';
        const tombstone = tombstoneOf(account, NOW);
        if (!(await accounts.save(tombstone))) continue;
        for (const claim of account.loginKeys) await keys.free(tombstone, claim);
        return 'deleted';
      }
    },
    touch: async ({ accounts }, id) => {
      for (;;) {
        const account = await accounts.find(id);
        if (account === undefined || (await accounts.save(account))) return 'touched';
      }
    },
    'sign in': async ({ accounts, keys }) => {
      const owned = await keys.find(KEY);
      if (owned === undefined) return 'nobody';
      for (;;) {
        const account = await accounts.find(owned.account.id);
        if (account === undefined || loginKeyClaim(account, KEY) === undefined) return 'nobody';
        const current = await keys.find(KEY);
        if (current?.claimed === true) return `in as ${current.account.id}`;
        const claim = await keys.claim(account, KEY);
        if (claim === 'taken') return claim;
        if (await accounts.save(withKey(account, claim))) return `in as ${account.id}`;
      }
    },
  };

  const programOf =
    (operation: Operation, id: string): Program<string> =>
    async (turn) => {
      try {
        return await OPERATIONS[operation](open(turn), id);
      } catch (error) {
        if (error instanceof CoreError) return error.code;
        throw error;
      }
    };

  /** The ids of the accounts that name the key. */
  const owners = async () => {
    const all = await Promise.all(['ada', 'bob', 'cyd'].map((id) => accounts.find(id)));
    return all.flatMap((account) =>
      account !== undefined && loginKeyClaim(account, KEY) !== undefined ? [account.id] : [],
    );
  };

  return {
    programOf,
    owners,
    /** Checks that an account that names the key owns its record. */
    expectSound: async () => {
      // Called after each call of a program; most of these only read.
      if (writesChecked === writes) return;
      writesChecked = writes;
      const stored = await loginKeys.find(KEY);
      for (const id of await owners()) expect(stored?.userId, `the key that ${id} has`).to.equal(id);
    },
    /** Checks, after all programs ended, that the owner can sign in with the key, or that a new account can add it. */
    expectOpen: async () => {
      const noWait = async () => undefined;
      const [owner, ...others] = await owners();
      expect(others).to.deep.equal([]);
      expect(await programOf('sign in', '')(noWait)).to.equal(
        owner === undefined ? 'nobody' : `in as ${owner}`,
      );
      const claimed = owner === undefined ? undefined : await open(noWait).keys.find(KEY);
      expect(claimed?.claimed, 'the marks agree').to.equal(owner === undefined ? undefined : true);
      await accounts.add(sampleAccount('zoe', { verified: true }));
      expect(await programOf('add', 'zoe')(noWait)).to.equal(owner === undefined ? 'added' : 'taken');
    },
  };
};
