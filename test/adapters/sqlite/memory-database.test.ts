import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../adapters/sqlite/engine/database-file.ts';
import { openMemoryDatabase } from '../../../adapters/sqlite/engine/memory-database.ts';
import { migrations } from '../../../adapters/sqlite/migrations.ts';

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
const OBJECTS = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

/** The schema, its version and all rows. */
const contentOf = async ({ read }: EmbeddedDatabase) => {
  const tables = await read.all(TABLES, []);
  const rows = tables.map(async ({ name }) => [name, await read.all(`SELECT * FROM ${name}`, [])] as const);
  return {
    objects: await read.all(OBJECTS, []),
    version: await read.all('PRAGMA user_version', []),
    rows: Object.fromEntries(await Promise.all(rows)),
  };
};

describe('A further SQLite database in memory', () => {
  it('has the schema, the version and the rows of the first, which was migrated', async () => {
    // A list that no other test has used: the first database of it is migrated.
    const own = [...migrations];
    const databases = [openMemoryDatabase(own), openMemoryDatabase(own), openMemoryDatabase(own)];
    const [first, ...further] = await Promise.all(databases.map(contentOf));
    await Promise.all(databases.map((database) => database.close()));
    expect(first?.objects).to.have.length.above(50);
    expect(first?.version).to.deep.equal([{ user_version: migrations.length }]);
    expect(first?.rows).to.have.property('cache_epoch').that.is.not.empty;
    for (const content of further) expect(content).to.deep.equal(first);
  });

  it('keeps quotes, nothing, bytes and large numbers of its first rows, and counts none of them twice', async () => {
    const own = [
      'CREATE TABLE a (id INTEGER PRIMARY KEY, body TEXT, bytes BLOB, twice INTEGER AS (id * 2) VIRTUAL)',
      'CREATE TABLE counts (number INTEGER); INSERT INTO counts VALUES (0)',
      'CREATE TRIGGER a_added AFTER INSERT ON a BEGIN UPDATE counts SET number = number + 1; END',
      `INSERT INTO a (id, body, bytes) VALUES (1, 'it''s; "so"', x'00ff'), (9007199254740993, NULL, NULL)`,
    ];
    const databases = [openMemoryDatabase(own), openMemoryDatabase(own)];
    const [first, second] = await Promise.all(databases.map(contentOf));
    await Promise.all(databases.map((database) => database.close()));
    expect(first?.rows.counts).to.deep.equal([{ number: 2 }]);
    expect(second).to.deep.equal(first);
  });
});
