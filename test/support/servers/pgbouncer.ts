import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { programPath } from '../runner/outside-programs.ts';
import { until } from '../until.ts';
import { killProgram } from './kill-program.ts';
import { connectTo, type PostgresqlServer } from './postgresql-server.ts';
import { makeFolderWithoutRoot, withoutRoot } from './without-root.ts';

/** A PgBouncer that the test owns, in front of all databases of a server. */
export interface Pgbouncer {
  /** The URL of a database with this name, through PgBouncer. */
  url(database: string): string;
  /** Ends PgBouncer at once, as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts PgBouncer on a free port, in transaction mode and without authentication, like the servers of the tests. `settings`
 * are those of the section `[pgbouncer]` of its file, such as `default_pool_size`.
 */
export const startPgbouncer = async (
  server: PostgresqlServer,
  settings: Readonly<Record<string, string>>,
): Promise<Pgbouncer> => {
  const port = await freePort();
  const folder = makeFolderWithoutRoot(join(tmpdir(), 'gatehouse-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const logFile = join(folder, 'log');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    // Every client is `postgres` on the server.
    auth_type: 'any',
    pool_mode: 'transaction',
    max_client_conn: '1000',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${server.port} user=postgres\n[pgbouncer]\n${lines.join('')}`,
  );
  let child: ChildProcess | undefined;

  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  const log = () => readFileSync(logFile, 'utf8');
  const answers = async () => {
    try {
      await (await connectTo(url('postgres'))).end();
      return true;
    } catch {
      return false;
    }
  };
  const start = async () => {
    const [command, args] = withoutRoot(programPath('PgBouncer'), file);
    const output = openSync(logFile, 'a');
    const started = spawn(command, args, { stdio: ['ignore', output, output] });
    closeSync(output);
    child = started;
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log()}`);
      return answers();
    });
  };
  const kill = async () => killProgram(child);

  await start();
  return {
    url,
    kill,
    start,
    end: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
