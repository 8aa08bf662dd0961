import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParserOptions, PGlite } from '@electric-sql/pglite';
import { cacheFolder } from '../cache-folder.ts';
import { root } from '../tree/root.ts';

/** PostgreSQL in this process, compiled to WebAssembly. It has one connection, so it proves nothing of two. */
export interface Pglite {
  /** Runs one statement. Cells are as `parsers` make them, by the number of their type in `pg_type`. */
  query(sql: string, params: readonly unknown[], parsers: ParserOptions): Promise<PgliteResult>;
  /** Runs statements without parameters. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

export interface PgliteResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many were inserted, updated or deleted. */
  readonly affectedRows: number;
}

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
  return new Blob([readFileSync(file)]);
};

// PGlite renews a timer for statistics that outlasts its databases: it must not keep the process.
const { setTimeout } = globalThis;
globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
  const timer = setTimeout(...args);
  return String(args[0]).includes('emscripten') ? timer.unref() : timer;
}) as typeof setTimeout;

/** Gives an empty database. */
export const startPglite = async (): Promise<Pglite> => {
  const database = await PGlite.create({ loadDataDir: await emptyData() });
  return {
    query: async (sql, params, parsers) => {
      const options = { parsers };
      const { rows, affectedRows = 0 } = await database.query<Record<string, unknown>>(
        sql,
        [...params],
        options,
      );
      return { rows, affectedRows };
    },
    exec: async (sql) => {
      await database.exec(sql);
    },
    close: () => database.close(),
  };
};
