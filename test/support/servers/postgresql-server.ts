import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { findProgram } from '../runner/outside-programs.ts';
import { listProcesses } from '../runner/process-tree.ts';
import { until } from '../until.ts';
import { killProgram } from './kill-program.ts';
import { makeData, SETTINGS_FILE } from './postgresql-data.ts';
import { makeFolderWithoutRoot, withoutRoot } from './without-root.ts';

/** The versions that the product promises to run on. */
export type PostgresqlVersion = 15 | 16 | 17 | 18;

/** As in `postgresql.conf`. */
type PostgresqlSettings = Readonly<Record<string, string>>;

export interface PostgresqlOptions {
  /** Undefined: the newest that is there. */
  readonly version?: PostgresqlVersion;
  readonly settings?: PostgresqlSettings;
  /** Whether what was committed outlasts a crash, as it does where nothing is set. Without it the server is faster. */
  readonly durable?: boolean;
}

/** A PostgreSQL server of the test's own, that it may do anything to. */
export interface PostgresqlServer {
  /** Of a database with this name. */
  url(database: string): string;
  readonly port: number;
  /** Its data folder. */
  readonly folder: string;
  /** The path of `postgres`. */
  readonly program: string;
  /** Those that it was started with last. */
  settings(): PostgresqlSettings;
  /** What it has logged so far. */
  log(): string;
  /** SIGSTOP and SIGCONT go to all of its processes, another signal to the first of them. */
  signal(signal: NodeJS.Signals): void;
  /** Ends all of its processes at once, as a crash of the machine does. */
  kill(): Promise<void>;
  /** Starts it again on what it kept, with these settings on top of those it had. */
  start(settings?: PostgresqlSettings): Promise<void>;
  /** Runs statements on a connection of their own. */
  run(sql: string, database?: string): Promise<pg.QueryResult>;
  /** Makes a database; `options` are those of `CREATE DATABASE`. */
  createDatabase(name: string, options?: string): Promise<void>;
  end(): Promise<void>;
}

const programOf = (version: PostgresqlVersion | undefined): string | undefined =>
  findProgram(version === undefined ? 'PostgreSQL' : `PostgreSQL ${version}`);

const ALWAYS = {
  listen_addresses: '127.0.0.1',
  // The path of a socket has a limit that a folder of a test may pass.
  unix_socket_directories: '',
  // In the data folder, where it is removed also after a crash.
  dynamic_shared_memory_type: 'mmap',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The lines of the file that the server keeps while it runs; none where there is no file. */
const linesOfPidFile = (folder: string): readonly string[] => {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Whether a process still has the shared memory that this data folder's server made. */
const isMemoryShared = (segment: string): boolean => {
  try {
    const rows = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n').slice(1);
    return rows.some((row) => {
      const [, id, , , , , attached] = row.trim().split(/\s+/);
      return id === segment && attached !== '0';
    });
  } catch {
    // Another system than Linux does not tell.
    return false;
  }
};

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
};

/** A connection that may break. Whoever uses it is told by the failure of what they ask. */
export const connectTo = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** What the data folder is filled with, and the settings that the server has for good. */
interface Origin {
  readonly program: string;
  readonly settings: PostgresqlSettings;
  fill(folder: string): void | Promise<void>;
}

/** Starts a server on a free port with a data folder of its own. */
export const startOn = async ({ program, settings, fill }: Origin): Promise<PostgresqlServer> => {
  const port = await freePort();
  const home = makeFolderWithoutRoot(join(tmpdir(), 'gatehouse-postgresql-'));
  const folder = join(home, 'data');
  const logFile = join(home, 'log');
  await fill(folder);
  let current: PostgresqlSettings = { ...settings, ...ALWAYS, port: String(port) };
  let child: ChildProcess | undefined;

  const log = () => readFileSync(logFile, 'utf8');
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const below = () => listProcesses().filter(({ parent }) => parent === child?.pid);

  const start = async (further: PostgresqlSettings = {}) => {
    current = { ...current, ...further };
    const lines = Object.entries(current).map(([name, value]) => `${name} = ${quoted(value)}\n`);
    writeFileSync(join(folder, SETTINGS_FILE), lines.join(''));
    const [command, args] = withoutRoot(program, '-D', folder);
    const output = openSync(logFile, 'a');
    const started = spawn(command, args, { stdio: ['ignore', output, output] });
    closeSync(output);
    child = started;
    let ended = false;
    started.once('error', () => {
      ended = true;
    });
    started.once('exit', () => {
      ended = true;
    });
    await until(() => {
      if (ended) throw new Error(`PostgreSQL did not start:\n${log()}`);
      const lines = linesOfPidFile(folder);
      return lines[0] === String(started.pid) && lines[7]?.trim() === 'ready';
    });
  };

  const kill = async () => {
    // The file's seventh line has the key and the number of the shared memory.
    const segment = linesOfPidFile(folder)[6]?.trim().split(/\s+/)[1];
    const others = below();
    await killProgram(child);
    for (const { pid } of others) signalTo(pid, 'SIGKILL');
    // One that was not listed yet ends by itself. Until then the server does not start again.
    await until(() => segment === undefined || !isMemoryShared(segment));
  };

  const signal = (name: NodeJS.Signals) => {
    const others = name === 'SIGSTOP' || name === 'SIGCONT' ? below() : [];
    child?.kill(name);
    for (const { pid } of others) signalTo(pid, name);
  };

  const run = async (sql: string, database = 'postgres') => {
    const client = await connectTo(url(database));
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };

  try {
    await start();
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    port,
    folder,
    program,
    settings: () => current,
    log,
    signal,
    kill,
    start,
    run,
    createDatabase: async (name, options = '') => {
      await run(`CREATE DATABASE ${pg.escapeIdentifier(name)} ${options}`);
    },
    end: async () => {
      const segment = linesOfPidFile(folder)[6]?.trim().split(/\s+/)[1];
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        signal('SIGCONT');
        // It ends at once, and removes its shared memory.
        child.kill('SIGQUIT');
        await ended;
      } else if (segment !== undefined) spawnSync('ipcrm', ['--shmem-id', segment]);
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** Starts a server without databases of users. */
export const startPostgresql = async ({
  version,
  settings = {},
  durable = false,
}: PostgresqlOptions = {}): Promise<PostgresqlServer> => {
  const program = programOf(version);
  if (program === undefined) throw new Error(`There is no PostgreSQL ${version ?? 'server'} to start.`);
  return startOn({
    program,
    settings: { ...(durable ? {} : NOT_DURABLE), ...settings },
    fill: (folder) => makeData(program, folder),
  });
};
