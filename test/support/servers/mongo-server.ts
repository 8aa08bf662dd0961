import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../free-port.ts';
import { findProgram } from '../runner/outside-programs.ts';
import { until } from '../until.ts';
import { killProgram } from './kill-program.ts';

/** A MongoDB server of the test's own, that it may do anything to. */
export interface MongoServer {
  /** Of a database with this name. */
  url(database: string): string;
  readonly port: number;
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on what it kept, with further options where given. */
  start(...options: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** Whether it greets a client: a server that listens may not serve yet. */
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

/** Whether one can be started here; a test that needs one of its own cannot do with what `MONGODB_URL` names. */
export const canStartMongo = (): boolean => findProgram('MongoDB') !== undefined;

/** How the programs are told the same. A standalone is what `mongod` is unless it is told otherwise. */
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
