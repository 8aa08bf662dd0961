import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type messages, PGlite, protocol } from '@electric-sql/pglite';
import { cacheFolder } from '../cache-folder.ts';
import { root } from '../tree/root.ts';

/** PostgreSQL in this process, compiled to WebAssembly. It has a single connection, so it cannot test concurrency. */
export interface Pglite {
  /** Runs a statement, which its first call prepares under its name. Parameters and cells are texts. */
  query(statement: PgliteStatement, params: readonly (string | null)[]): Promise<PgliteResult>;
  /** Runs statements without parameters. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

export interface PgliteStatement {
  readonly name: string;
  readonly text: string;
}

export interface PgliteResult {
  readonly fields: readonly PgliteField[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The number of inserted, updated or deleted rows. */
  readonly affectedRows: number;
}

interface PgliteField {
  readonly name: string;
  /** The id of its type in `pg_type`. */
  readonly dataTypeID: number;
}

const version: string = JSON.parse(
  readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
).version;

/** An empty database from the tests' cache: starting with it takes 0.9 s of processor time instead of 4. */
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

// PGlite renews a timer for statistics that outlives its databases: the timer must not keep the process alive.
const { setTimeout } = globalThis;
globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
  const timer = setTimeout(...args);
  return String(args[0]).includes('emscripten') ? timer.unref() : timer;
}) as typeof setTimeout;

const { serialize } = protocol;

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

const isFields = (message: Message): message is messages.RowDescriptionMessage =>
  message.name === 'rowDescription';
const isRow = (message: Message): message is messages.DataRowMessage => message.name === 'dataRow';
const isEnd = (message: Message): message is messages.CommandCompleteMessage =>
  message.name === 'commandComplete';

/** The number at the end of a statement's command tag, such as `INSERT 0 1`. */
const affectedBy = (answer = ''): number =>
  Number(/^(?:INSERT|UPDATE|DELETE|MERGE)\b.* (\d+)$/.exec(answer)?.[1] ?? 0);

/** Starts an empty database. */
export const startPglite = async (): Promise<Pglite> => {
  const database = await PGlite.create({ loadDataDir: await emptyData() });
  // PGlite's own `query` parses a statement at each call, in five messages with an answer each: twice the cost.
  const send = (...parts: readonly Uint8Array[]): Promise<readonly Message[]> =>
    database.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false });
  const prepared = new Map<string, readonly PgliteField[]>();
  const prepare = async ({ name, text }: PgliteStatement) => {
    const answers = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const fields = answers.find(isFields)?.fields ?? [];
    prepared.set(name, fields);
    return fields;
  };
  return {
    query: async (statement, params) => {
      const fields = prepared.get(statement.name) ?? (await prepare(statement));
      const answers = await send(
        serialize.bind({ statement: statement.name, values: [...params] }),
        serialize.execute({}),
      );
      return {
        fields,
        rows: answers.filter(isRow).map((row) => row.fields),
        affectedRows: affectedBy(answers.find(isEnd)?.text),
      };
    },
    exec: async (sql) => {
      await database.exec(sql);
    },
    close: () => database.close(),
  };
};
