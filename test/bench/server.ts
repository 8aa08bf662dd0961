import { once } from 'node:events';
import { join } from 'node:path';
import { allRateLimits } from '../support/all-rate-limits.ts';
import { root } from '../support/tree/root.ts';
import { askOnce } from './connection.ts';
import { spawnProgram } from './program.ts';

/** Default settings, but that no load is refused, ports are free ones, and tokens outlive a restart on another port. */
export const SETTINGS = {
  ACCOUNTS_PORT: '0',
  METADATA_PORT: '0',
  PUBLIC_URL: 'http://gatehouse.test',
  ...allRateLimits('1000000000'),
};

export interface Server {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from before the process was begun until it had answered 200. */
  readonly startTook: number;
  close(): Promise<void>;
}

export type ServiceName = 'accounts' | 'metadata';

const SAYS: Readonly<Record<ServiceName, RegExp>> = {
  accounts: /^Accounts .*:(\d+)$/m,
  metadata: /^Metadata .*:(\d+)$/m,
};

/** Starts a service as its users do, on a folder, and waits for its first answer. */
export const startServer = async (
  folder: string,
  service: ServiceName = 'accounts',
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const began = performance.now();
  const child = spawnProgram(process.execPath, [join(root, `dist/servers/${service}.js`)], {
    cwd: folder,
    env: { ...SETTINGS, ...settings, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = SAYS[service].exec(said)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('close', () => reject(new Error(`The server did not start:\n${said}`)));
  });
  await askOnce(port, { method: 'GET', path: '/health' });
  const startTook = performance.now() - began;
  return {
    port,
    pid: child.pid ?? 0,
    startTook,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
