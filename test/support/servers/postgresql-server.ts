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

/** The supported versions. */
export type PostgresqlVersion = 15 | 16 | 17 | 18;

/** Settings of `postgresql.conf`. */
type PostgresqlSettings = Readonly<Record<string, string>>;

export interface PostgresqlOptions {
  /** Undefined: the newest installed version. */
  readonly version?: PostgresqlVersion;
  readonly settings?: PostgresqlSettings;
  /** Whether commits survive a crash, as by default. A server that is not durable is faster. */
  readonly durable?: boolean;
}

/** A PostgreSQL server that the test owns and may stop or kill. */
export interface PostgresqlServer {
  /** The URL of a database with this name. */
  url(database: string): string;
  readonly port: number;
  /** Its data folder. */
  readonly folder: string;
  /** The path of `postgres`. */
  readonly program: string;
  /** The settings of the last start. */
  settings(): PostgresqlSettings;
  /** The log so far. */
  log(): string;
  /** Sends SIGSTOP and SIGCONT to all processes of the server, another signal to the main process. */
  signal(signal: NodeJS.Signals): void;
  /** Ends all processes of the server at once, as a crash of the machine does. */
  kill(): Promise<void>;
  /** Starts the server again on its data, with these settings in addition to the former ones. */
  start(settings?: PostgresqlSettings): Promise<void>;
  /** Runs statements on a connection of their own. */
  run(sql: string, database?: string): Promise<pg.QueryResult>;
  /** Creates a database; `options` are those of `CREATE DATABASE`. */
  createDatabase(name: string, options?: string): Promise<void>;
  end(): Promise<void>;
}

const programOf = (version: PostgresqlVersion | undefined): string | undefined =>
  findProgram(version === undefined ? 'PostgreSQL' : `PostgreSQL ${version}`);

const ALWAYS = {
  listen_addresses: '127.0.0.1',
  // The path of a folder of a test may be too long for a socket.
  unix_socket_directories: '',
  // Keeps shared memory in the data folder, which is removed even after a crash.
  dynamic_shared_memory_type: 'mmap',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The lines of the pid file, which exists while the server runs; none without the file. */
const linesOfPidFile = (folder: string): readonly string[] => {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Whether a process still uses this shared memory segment. */
const isMemoryShared = (segment: string): boolean => {
  try {
    const rows = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n').slice(1);
    return rows.some((row) => {
      const [, id, , , , , attached] = row.trim().split(/\s+/);
      return id === segment && attached !== '0';
    });
  } catch {
    // Only Linux has this file.
    return false;
  }
};

const signalTo = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended by itself.
  }
};

/** A connection that may break; the next query on it then fails. */
export const connectTo = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** A program, the settings of every start, and a function that fills the data folder. */
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
  const listChildren = () => listProcesses().filter(({ parent }) => parent === child?.pid);

  const start = async (further: PostgresqlSettings = {}) => {
    current = { ...current, ...further };
    const lines = Object.entries(current).map(([name, value]) => `${name} = ${quote(value)}\n`);
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
    // The seventh line of the pid file has the key and the id of the shared memory.
    const segment = linesOfPidFile(folder)[6]?.trim().split(/\s+/)[1];
    const others = listChildren();
    await killProgram(child);
    for (const { pid } of others) signalTo(pid, 'SIGKILL');
    // A process that was not listed yet ends by itself. Until then the server cannot start again.
    await until(() => segment === undefined || !isMemoryShared(segment));
  };

  const signal = (name: NodeJS.Signals) => {
    const others = name === 'SIGSTOP' || name === 'SIGCONT' ? listChildren() : [];
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
        // An immediate shutdown removes the shared memory.
        child.kill('SIGQUIT');
        await ended;
      } else if (segment !== undefined) spawnSync('ipcrm', ['--shmem-id', segment]);
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** Starts a PostgreSQL server without databases of users. */
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
