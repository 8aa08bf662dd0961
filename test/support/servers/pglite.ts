import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cacheFolder } from '../cache-folder.ts';
import { root } from '../tree/root.ts';

/** PostgreSQL in this process, compiled to WebAssembly. It has one connection, so it proves nothing of two. */
export interface Pglite {
  /** Runs one statement. Rows have the types that the package `pg` gives where nothing is set. */
  query(sql: string, params: readonly unknown[]): Promise<PgliteResult>;
  /** Runs statements without parameters. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

export interface PgliteResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many were inserted, updated or deleted. */
  readonly affectedRows: number;
}

/** Types of PostgreSQL by their numbers in `pg_type`. */
const PARSERS = {
  // int8: as a text, since not every value is a number of JavaScript.
  20: (text: string) => text,
  // bytea
  17: (text: string) => Buffer.from(text.slice(2), 'hex'),
};

const version: string = JSON.parse(
  readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
).version;

/** An empty one, kept in the tests' cache: to start from it takes 0.9 s of processor time in place of 4. */
const emptyData = async (): Promise<Blob> => {
  const file = join(cacheFolder(), `pglite-${version}.tar`);
  if (!existsSync(file)) {
    const database = await PGlite.create();
    const data = await database.dumpDataDir('none');
    await database.close();
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, Buffer.from(await data.arrayBuffer()));
    renameSync(`${file}.${process.pid}`, file);
  }
  return openAsBlob(file);
};

/** Closed, and emptied for the next suite of this process: that takes a thirtieth of a start. */
const idle: PGlite[] = [];

after(async () => {
  await Promise.all(idle.splice(0).map((database) => database.close()));
});

const empty = async (database: PGlite): Promise<void> => {
  await database.exec('ROLLBACK');
  await database.exec('DISCARD ALL');
  await database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
};

/** Gives an empty database. A suite makes its tables in the schema `public` and no other schema. */
export const startPglite = async (): Promise<Pglite> => {
  const database = idle.pop() ?? (await PGlite.create({ loadDataDir: await emptyData() }));
  return {
    query: async (sql, params) => {
      const { rows, affectedRows = 0 } = await database.query<Record<string, unknown>>(sql, [...params], {
        parsers: PARSERS,
      });
      return { rows, affectedRows };
    },
    exec: async (sql) => {
      await database.exec(sql);
    },
    close: async () => {
      await empty(database);
      idle.push(database);
    },
  };
};
