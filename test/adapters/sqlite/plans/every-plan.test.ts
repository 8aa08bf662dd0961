import { expect } from 'chai';
import { makeMemoryObjects } from '../../../../adapters/memory/object-store.ts';
import { sqlPorts } from '../../../../adapters/sql/ports.ts';
import { makeSqlTransfer } from '../../../../adapters/sql/transfer.ts';
import * as cacheStatements from '../../../../adapters/sqlite/cache/cache-schema.ts';
import { openDatabaseInMemory } from '../../../../adapters/sqlite/database.ts';
import { connectRaw } from '../../../../adapters/sqlite/engine/connection.ts';
import { migrations } from '../../../../adapters/sqlite/migrations.ts';
import type { StorePorts } from '../../../../adapters/store.ts';
import type { Clock } from '../../../../core/ports.ts';
import { transferContract } from '../../../contracts/transfer.ts';
import { fillTables } from '../../sql/fill.ts';
import { checkPlans, collectStatements, type Step } from '../../sql/plans.ts';
import { recordStatements } from '../../sql/record-statements.ts';
import { storeSuites } from '../../store-suites.ts';
import { makeResetUnit } from '../reset-unit.ts';
import { explain, wasteOf } from './plans.ts';

const { statements, collect } = collectStatements();

const openDatabase = async () => {
  const database = openDatabaseInMemory();
  const resetUnit = await makeResetUnit(database);
  return { database, empty: () => database.write(resetUnit), close: database.close };
};

/** Databases that are free for reuse. Emptying a database is faster than creating the schema. */
const free: Awaited<ReturnType<typeof openDatabase>>[] = [];

const openStore = async (clock: Clock) => {
  const shared = free.pop() ?? (await openDatabase());
  const database = recordStatements(shared.database, collect);
  const ports: StorePorts = sqlPorts(database, { clock, objects: makeMemoryObjects(clock) });
  return {
    ports,
    movable: makeSqlTransfer(database, ports.objects),
    close: async () => {
      await shared.empty();
      free.push(shared);
    },
  };
};

storeSuites('SQLite in memory', openStore);
transferContract('SQLite in memory', async () => {
  const { close, ...store } = await openStore({ now: () => Date.now() });
  return { store, close };
});

/** Whether a step scans a table or sorts. A scan of a parameter or a subquery is no fault. */
const isFault = (step: string): boolean =>
  /TEMP B-TREE/.test(step) || /^SCAN (?!CONSTANT ROW|page\b|\(subquery|.* VIRTUAL TABLE)/.test(step);

/** Writes a step of SQLite as the exceptions do, which name the index of a primary key as PostgreSQL does. */
const stepOf = (step: string): Step => {
  const text = step
    .replace(/ (?:COVERING )?INDEX sqlite_autoindex_(\w+)_1/, ' $1_pkey')
    .replace(/ (?:COVERING )?INDEX /, ' ');
  return { fault: isFault(step) ? text : undefined, index: / USING (\w+)/.exec(text)?.[1] };
};

/** The statements of a trigger, with parameters in place of the columns of its row. */
const statementsOf = (trigger: string): readonly string[] =>
  (/\bBEGIN\b(.*)\bEND$/s.exec(trigger)?.[1] ?? '')
    .split(';')
    .map((sql) => sql.replaceAll(/\b(?:new|old)\.\w+/g, '?').trim())
    .filter((sql) => sql !== '');

/** Opens a database with full tables. */
const openFull = () => {
  const full = connectRaw(':memory:');
  for (const sql of migrations) full.exec(sql);
  const names = full.all("SELECT name FROM sqlite_schema WHERE type = 'trigger'", []);
  for (const sql of [
    ...names.map(({ name }) => `DROP TRIGGER ${name}`),
    ...fillTables({ rows: 20_000, document: 'text', lanes: 1 }),
  ])
    full.exec(sql);
  return full;
};

describe('The statements of the suites, in SQLite', () => {
  const store = openDatabaseInMemory();
  const cache = connectRaw(':memory:');
  cache.exec(cacheStatements.cacheSchema);
  after(async () => {
    await Promise.all([store, ...free].map(({ close }) => close()));
    cache.close();
  });

  checkPlans('sqlite', async () => {
    const { cacheSchema: _, FORMAT: __, ...cacheQueries } = cacheStatements;
    const triggers = await store.read.all("SELECT sql FROM sqlite_schema WHERE type = 'trigger'", []);
    const triggerStatements = triggers.flatMap(({ sql }) => statementsOf(String(sql)));
    expect(triggerStatements).to.have.length.above(5);
    const full = openFull();
    const steps = new Map<string, readonly Step[]>();
    for (const sql of [...statements.keys(), ...triggerStatements]) {
      const planned = (await explain(store.read, sql)).map(stepOf);
      const wastes = (statements.get(sql) ?? []).map((params) => ({ fault: wasteOf(full, sql, params) }));
      steps.set(sql, [...planned, ...wastes]);
    }
    for (const sql of Object.values(cacheQueries)) steps.set(sql, (await explain(cache, sql)).map(stepOf));
    full.close();
    const NAMES = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
    const indexes = [...(await store.read.all(NAMES, [])), ...cache.all(NAMES, [])];
    return { steps, indexes: indexes.map(({ name }) => String(name)) };
  });

  /** The columns with more than one bound on one side in the conditions of a SELECT. */
  const boundTwice = (sql: string): readonly string[] =>
    sql.split(/\b(?:SELECT|CASE)\b/).flatMap((part) => {
      const bounds = [...part.matchAll(/(?<=\bAND |\bWHERE )(\w+|\([\w, ]+\)) ([<>])=? [?(]/g)];
      const sides = bounds.map(([, columns, side]) => `${columns} ${side}`);
      return sides.filter((side, index) => sides.indexOf(side) !== index);
    });

  it('bound a column once on each side, since SQLite uses only the first of two bounds', () => {
    expect(boundTwice('SELECT * FROM t WHERE a > ? AND +a > ? AND a < ? AND a <= ?')).to.deep.equal(['a <']);
    const faults = [...statements.keys()].filter((sql) => boundTwice(sql).length > 0);
    expect(faults).to.deep.equal([]);
  });
});
