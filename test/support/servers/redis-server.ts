import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram } from '../runner/outside-programs.ts';
import { until } from '../until.ts';
import { killProgram } from './kill-program.ts';

/** A Redis server that the test owns and may stop or kill. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Sends a command of words without spaces over a new connection, and returns the raw reply. */
  command(line: string): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
}

/** Options for tests that are not about deadlines: on a busy machine a server may be slow. */
export const GENEROUS_DEADLINE = { deadline: 30_000 } as const;
/**
 * Longer than the product's deadline, because a healthy server may be late on a busy machine, and shorter than the time until
 * a replica takes over.
 */
export const ONE_SECOND_DEADLINE = { deadline: 1_000 } as const;

/** Whether a server can be started: a test that kills its server cannot use that of `REDIS_URL`. */
export const canStartRedis = (): boolean => findProgram('Redis') !== undefined;

/** Starts `redis-server` from the PATH on a free port, without persistence. */
export const startRedis = async (...options: readonly string[]): Promise<RedisServer> =>
  startRedisProgram((port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    ...['--save', '', '--appendonly', 'no', '--enable-debug-command', 'local'],
    ...options,
  ]);

/** Starts `redis-server` with the arguments for a free port and a folder of its own. */
export const startRedisProgram = async (
  argumentsFor: (port: number, folder: string) => readonly string[],
): Promise<RedisServer> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redis-'));
  const programArguments = argumentsFor(port, folder);
  let child: ChildProcess | undefined;

  const command = async (line: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write(`${line}\r\n`);
      const [reply] = await once(socket, 'data');
      return String(reply);
    } finally {
      socket.destroy();
    }
  };

  const start = async () => {
    child = spawn(findProgram('Redis') ?? 'redis-server', programArguments, { stdio: 'ignore' });
    await until(async () => (await command('PING').catch(() => '')).match(/PONG|NOAUTH/) !== null);
  };

  const kill = async () => killProgram(child);

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    command,
    signal: (signal) => void child?.kill(signal),
    kill,
    start,
    end: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
