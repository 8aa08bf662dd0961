import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFileObjects } from '../../../../adapters/files/object-store.ts';
import type { Scalar, Statement } from '../../../../adapters/sql/database.ts';
import { sqlPorts } from '../../../../adapters/sql/ports.ts';
import { makeSqlTransfer } from '../../../../adapters/sql/transfer.ts';
import * as cacheStatements from '../../../../adapters/sqlite/cache/cache-schema.ts';
import { openDatabaseInMemory } from '../../../../adapters/sqlite/database.ts';
import { connectRaw } from '../../../../adapters/sqlite/engine/connection.ts';
import { migrations } from '../../../../adapters/sqlite/migrations.ts';
import type { StorePorts } from '../../../../adapters/store.ts';
import type { Clock } from '../../../../core/ports.ts';
import { transferContract } from '../../../contracts/transfer.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { fillTables } from '../../sql/fill.ts';
import { noting } from '../../sql/noting.ts';
import { INDEXES as STORE_INDEXES } from '../../sql/used-indexes.ts';
import { storeSuites } from '../../store-suites.ts';
import { emptyingUnit } from '../emptying-unit.ts';
import { exceptions, readers } from './plan-exceptions.ts';
import { explain, wasteOf } from './plans.ts';

/** With those of the cache. */
const INDEXES = [...STORE_INDEXES, 'entries_ending', 'tombstones_ending'].sort();

/** Parameters that are kept of a statement. */
const SAMPLES = 5;
const statements = new Map<string, (readonly Scalar[])[]>();
const noteStatement = ({ sql, params }: Statement): void => {
  const samples = statements.get(sql) ?? [];
  if (samples.length < SAMPLES) samples.push(params);
  statements.set(sql, samples);
};

const openDatabase = async () => {
  const database = openDatabaseInMemory();
  const empty = await emptyingUnit(database);
  return { database, empty: () => database.write(empty), close: database.close };
};

/** Databases that no test uses now. To empty one is faster than to make the schema anew. */
const free: Awaited<ReturnType<typeof openDatabase>>[] = [];

const openStore = async (clock: Clock) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-plans-'));
  const shared = free.pop() ?? (await openDatabase());
  const database = noting(shared.database, noteStatement);
  const ports: StorePorts = sqlPorts(database, {
    clock,
    objects: makeFileObjects({ folder: dataDir, log: makeRecordingLog() }),
  });
  return {
    ports,
    movable: makeSqlTransfer(database, ports.objects),
    close: async () => {
      await shared.empty();
      free.push(shared);
      rmSync(dataDir, { recursive: true });
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

/** The statements of a trigger, with parameters for what they take from the row. */
const statementsOf = (trigger: string): readonly string[] =>
  (/\bBEGIN\b(.*)\bEND$/s.exec(trigger)?.[1] ?? '')
    .split(';')
    .map((sql) => sql.replaceAll(/\b(?:new|old)\.\w+/g, '?').trim())
    .filter((sql) => sql !== '');

describe('The statements of the suites, in SQLite', () => {
  const store = openDatabaseInMemory();
  const cache = connectRaw(':memory:');
  cache.exec(cacheStatements.cacheSchema);
  after(async () => {
    await Promise.all([store, ...free].map(({ close }) => close()));
    cache.close();
  });

  const { cacheSchema: _, FORMAT: __, ...ofCache } = cacheStatements;
  let ofTriggers: readonly string[] = [];
  before(async () => {
    const triggers = await store.read.all("SELECT sql FROM sqlite_schema WHERE type = 'trigger'", []);
    ofTriggers = triggers.flatMap(({ sql }) => statementsOf(String(sql)));
  });

  const plans = async () => {
    const inStore = [...statements.keys(), ...ofTriggers].map((sql) => ({ sql, read: store.read }));
    const inCache = Object.values(ofCache).map((sql) => ({ sql, read: cache }));
    const explained = await Promise.all(
      [...inStore, ...inCache].map(async ({ sql, read }) => ({ sql, steps: await explain(read, sql) })),
    );
    return explained.flatMap(({ sql, steps }) => {
      const plain = sql.replaceAll(/\s+/g, ' ').trim();
      return steps.map((step) => ({
        sql: plain,
        step,
        met: exceptions.filter(
          (exception) => exception.step === step && (exception.of === undefined || exception.of.test(plain)),
        ),
      }));
    });
  };

  it('go over no table that grows, and sort none of it', async () => {
    expect(ofTriggers).to.have.length.above(5);
    const faults = (await plans()).filter(({ step, met }) => isFault(step) && met.length === 0);
    expect(faults.map(({ sql, step }) => `${step}: ${sql}`)).to.deep.equal([]);
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

  it('are but for reasons that hold', async () => {
    const met = new Set((await plans()).flatMap((plan) => plan.met));
    expect(exceptions.filter((exception) => !met.has(exception))).to.deep.equal([]);
  });

  it('read no more than 3 rows for one, on full tables, but for reasons that hold', () => {
    const full = connectRaw(':memory:');
    for (const sql of migrations) full.exec(sql);
    const names = full.all("SELECT name FROM sqlite_schema WHERE type = 'trigger'", []);
    for (const sql of [
      ...names.map(({ name }) => `DROP TRIGGER ${name}`),
      ...fillTables({ rows: 20_000, document: 'text', lanes: 1 }),
    ])
      full.exec(sql);
    const wasteful = [...statements].flatMap(([sql, samples]) => {
      const waste = samples.map((params) => wasteOf(full, sql, params)).find((each) => each !== undefined);
      return waste === undefined ? [] : [{ waste, plain: sql.replaceAll(/\s+/g, ' ').trim() }];
    });
    full.close();
    const faults = wasteful.filter(({ plain }) => !readers.some(({ of }) => of.test(plain)));
    expect(faults.map(({ waste, plain }) => `${waste}: ${plain}`)).to.deep.equal([]);
    expect(readers.filter(({ of }) => !wasteful.some(({ plain }) => of.test(plain)))).to.deep.equal([]);
  });

  it('use every index', async () => {
    const NAMES = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
    const there = [...(await store.read.all(NAMES, [])), ...cache.all(NAMES, [])].map(({ name }) =>
      String(name),
    );
    expect(there.sort()).to.deep.equal(INDEXES);
    const used = (await plans())
      .filter(({ met }) => !met.some(({ takesAnyIndex }) => takesAnyIndex))
      .flatMap(({ step }) => / USING (?:COVERING )?INDEX (?!sqlite_)(\w+)/.exec(step)?.[1] ?? []);
    expect([...new Set(used)].sort()).to.deep.equal(INDEXES);
  });
});
