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
import { watched } from '../open-core.ts';
import type { Program } from './schedule.ts';

const KEY = 'oidc:key';

/** What there is before: a record, and by which marks accounts name the key. */
export interface Beginning {
  readonly record?: { readonly of: string; readonly mark: string };
  readonly named?: Readonly<Record<string, string>>;
  readonly gone?: readonly string[];
}

export const BEGINNINGS = {
  nothing: {},
  'Ada has the key': { record: { of: 'ada', mark: 'first' }, named: { ada: 'first' } },
  'Ada has it by an older mark than its record': {
    record: { of: 'ada', mark: 'second' },
    named: { ada: 'first' },
  },
  'an orphan of Ada': { record: { of: 'ada', mark: 'first' } },
  'an orphan of Cyd': { record: { of: 'cyd', mark: 'first' } },
  'an orphan of a deleted account': { record: { of: 'dora', mark: 'first' }, gone: ['dora'] },
  'an orphan of no account': { record: { of: 'nobody', mark: 'first' } },
} as const satisfies Readonly<Record<string, Beginning>>;

export type Deed = 'add' | 'drop' | 'delete' | 'touch' | 'sign in';

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

/** The statements that empty the store and write a beginning, as the ports write it the first time. */
const beginnings = new Map<Beginning, Unit>();

const statementsOf = async ({ record, named = {}, gone = [] }: Beginning): Promise<Unit> => {
  const statements: Statement[] = [...EMPTY];
  const { accounts, loginKeys } = portsOn({
    ...database,
    write: async (unit) => {
      statements.push(...unit);
      return database.write(unit);
    },
  });
  await database.write(EMPTY);
  for (const id of ['ada', 'bob', 'cyd', ...gone]) {
    const mark = named[id];
    const ownKeys = mark === undefined ? [] : [{ key: KEY, mark }];
    const account = sampleAccount(id, { verified: true, loginKeys: ownKeys });
    await accounts.add(gone.includes(id) ? tombstoneOf(account, NOW) : account);
  }
  if (record !== undefined) await loginKeys.add({ key: KEY, userId: record.of, mark: record.mark });
  return statements;
};

/** A store in which each call is a turn of its own, and what people do on it. Only one at a time: all share a database. */
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
      accounts: watched(accounts, before),
      loginKeys: watched(loginKeys, before),
    };
    return { ...gated, keys: makeLoginKeys({ ...gated, random }) };
  };

  const DEEDS: Readonly<Record<Deed, (opened: ReturnType<typeof open>, id: string) => Promise<string>>> = {
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
        const lost = account && loginKeyClaim(account, KEY);
        if (account === undefined || lost === undefined) return 'nothing to drop';
        if (!(await accounts.save({ ...account, loginKeys: [] }))) continue;
        await keys.free(account, lost);
        return 'dropped';
      }
    },
    delete: async ({ accounts, keys }, id) => {
      for (;;) {
        const account = await accounts.find(id);
        if (account === undefined || account.deletedAt !== null) return 'gone';
        const left = tombstoneOf(account, NOW);
        if (!(await accounts.save(left))) continue;
        for (const lost of account.loginKeys) await keys.free(left, lost);
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
      const found = await keys.find(KEY);
      if (found === undefined) return 'nobody';
      for (;;) {
        const account = await accounts.find(found.account.id);
        if (account === undefined || loginKeyClaim(account, KEY) === undefined) return 'nobody';
        const again = await keys.find(KEY);
        if (again?.claimed === true) return `in as ${again.account.id}`;
        const claim = await keys.claim(account, KEY);
        if (claim === 'taken') return claim;
        if (await accounts.save(withKey(account, claim))) return `in as ${account.id}`;
      }
    },
  };

  const does =
    (deed: Deed, id: string): Program<string> =>
    async (turn) => {
      try {
        return await DEEDS[deed](open(turn), id);
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
    does,
    owners,
    /** What an account names is its own, and nobody else's. */
    expectSound: async () => {
      // It looks after each call, of which most only read.
      if (writesChecked === writes) return;
      writesChecked = writes;
      const stored = await loginKeys.find(KEY);
      for (const id of await owners()) expect(stored?.userId, `the key that ${id} has`).to.equal(id);
    },
    /** When all is quiet, whoever has the key gets in by it; while nobody has it, the next one may. */
    expectOpen: async () => {
      const now = async () => undefined;
      const [owner, ...others] = await owners();
      expect(others).to.deep.equal([]);
      expect(await does('sign in', '')(now)).to.equal(owner === undefined ? 'nobody' : `in as ${owner}`);
      const claimed = owner === undefined ? undefined : await open(now).keys.find(KEY);
      expect(claimed?.claimed, 'the marks agree').to.equal(owner === undefined ? undefined : true);
      await accounts.add(sampleAccount('zoe', { verified: true }));
      expect(await does('add', 'zoe')(now)).to.equal(owner === undefined ? 'added' : 'taken');
    },
  };
};
