import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../free-port.ts';
import { findProgram } from '../runner/outside-programs.ts';
import { until } from '../until.ts';
import { killProgram } from './kill-program.ts';

/** A MongoDB server that the test owns and may stop or kill. */
export interface MongoServer {
  /** The URL of a database with this name. */
  url(database: string): string;
  readonly port: number;
  signal(signal: NodeJS.Signals): void;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts the server again on its data, with further options if given. */
  start(...options: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** Whether the server answers a client: a listening server may not be ready yet. */
const answers = async (port: number, options: readonly string[]): Promise<boolean> => {
  const tls = options.includes('--tls-cert-file') ? '&tls=true&tlsAllowInvalidCertificates=true' : '';
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true${tls}`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
};

/** Whether a server can be started: a test that kills its server cannot use that of `MONGODB_URL`. */
export const canStartMongo = (): boolean => findProgram('MongoDB') !== undefined;

/** The options in the form of each program. `mongod` is a standalone server by default. */
const optionsOf = (
  file: string,
  port: number,
  folder: string,
  further: readonly string[],
): readonly string[] =>
  basename(file) === 'mongod'
    ? [
        ...['--port', String(port), '--dbpath', folder, '--setParameter', 'enableTestCommands=1'],
        ...further.filter((option) => option !== '--standalone'),
      ]
    : [
        ...['--port', String(port), '--storage-path', folder, '--sync-on-commit', '--enable-test-commands'],
        ...further,
      ];

/** Starts a server on a free port with a data folder of its own. */
export const startMongo = async (...options: readonly string[]): Promise<MongoServer> => {
  const file = findProgram('MongoDB');
  if (file === undefined) throw new Error('There is no MongoDB server to start.');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mongo-'));
  let child: ChildProcess | undefined;

  const start = async (...further: readonly string[]) => {
    const all = [...options, ...further];
    child = spawn(file, optionsOf(file, port, folder, all), { stdio: 'ignore' });
    await until(() => answers(port, all));
  };
  const kill = async () => killProgram(child);

  await start();
  return {
    url: (database) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    port,
    signal: (signal) => void child?.kill(signal),
    kill,
    start,
    end: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
