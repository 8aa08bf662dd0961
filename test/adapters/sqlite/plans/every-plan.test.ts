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
import { judgePlans, keepStatements, type Step } from '../../sql/plans.ts';
import { noting } from '../../sql/record-statements.ts';
import { storeSuites } from '../../store-suites.ts';
import { emptyingUnit } from '../reset-unit.ts';
import { explain, wasteOf } from './plans.ts';

const { statements, keep } = keepStatements();

const openDatabase = async () => {
  const database = openDatabaseInMemory();
  const empty = await emptyingUnit(database);
  return { database, empty: () => database.write(empty), close: database.close };
};

/** Databases that no test uses now. To empty one is faster than to make the schema anew. */
const free: Awaited<ReturnType<typeof openDatabase>>[] = [];

const openStore = async (clock: Clock) => {
  const shared = free.pop() ?? (await openDatabase());
  const database = noting(shared.database, keep);
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

/** What goes over all rows of a table, or sorts. The rows of a parameter and of a subquery are no table's. */
const isFault = (step: string): boolean =>
  /TEMP B-TREE/.test(step) || /^SCAN (?!CONSTANT ROW|page\b|\(subquery|.* VIRTUAL TABLE)/.test(step);

/** A step of SQLite in the words of the exceptions, in which an index of a primary key is called as in PostgreSQL. */
const stepOf = (step: string): Step => {
  const words = step
    .replace(/ (?:COVERING )?INDEX sqlite_autoindex_(\w+)_1/, ' $1_pkey')
    .replace(/ (?:COVERING )?INDEX /, ' ');
  return { fault: isFault(step) ? words : undefined, index: / USING (\w+)/.exec(words)?.[1] };
};

/** The statements of a trigger, with parameters for what they take from the row. */
const statementsOf = (trigger: string): readonly string[] =>
  (/\bBEGIN\b(.*)\bEND$/s.exec(trigger)?.[1] ?? '')
    .split(';')
    .map((sql) => sql.replaceAll(/\b(?:new|old)\.\w+/g, '?').trim())
    .filter((sql) => sql !== '');

/** A database whose tables are full. */
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

  judgePlans('sqlite', async () => {
    const { cacheSchema: _, FORMAT: __, ...ofCache } = cacheStatements;
    const triggers = await store.read.all("SELECT sql FROM sqlite_schema WHERE type = 'trigger'", []);
    const ofTriggers = triggers.flatMap(({ sql }) => statementsOf(String(sql)));
    expect(ofTriggers).to.have.length.above(5);
    const full = openFull();
    const steps = new Map<string, readonly Step[]>();
    for (const sql of [...statements.keys(), ...ofTriggers]) {
      const planned = (await explain(store.read, sql)).map(stepOf);
      const wastes = (statements.get(sql) ?? []).map((params) => ({ fault: wasteOf(full, sql, params) }));
      steps.set(sql, [...planned, ...wastes]);
    }
    for (const sql of Object.values(ofCache)) steps.set(sql, (await explain(cache, sql)).map(stepOf));
    full.close();
    const NAMES = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
    const indexes = [...(await store.read.all(NAMES, [])), ...cache.all(NAMES, [])];
    return { steps, indexes: indexes.map(({ name }) => String(name)) };
  });

  /** The columns that conditions of one SELECT bound by more than one parameter on one side. */
  const boundTwice = (sql: string): readonly string[] =>
    sql.split(/\b(?:SELECT|CASE)\b/).flatMap((part) => {
      const bounds = [...part.matchAll(/(?<=\bAND |\bWHERE )(\w+|\([\w, ]+\)) ([<>])=? [?(]/g)];
      const sides = bounds.map(([, columns, side]) => `${columns} ${side}`);
      return sides.filter((side, index) => sides.indexOf(side) !== index);
    });

  it('bound a column once on each side: of two bounds only the first is followed', () => {
    expect(boundTwice('SELECT * FROM t WHERE a > ? AND +a > ? AND a < ? AND a <= ?')).to.deep.equal(['a <']);
    const faults = [...statements.keys()].filter((sql) => boundTwice(sql).length > 0);
    expect(faults).to.deep.equal([]);
  });
});
