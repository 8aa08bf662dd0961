import { once } from 'node:events';
import { join } from 'node:path';
import { allRateLimits } from '../support/all-rate-limits.ts';
import { root } from '../support/tree/root.ts';
import { askOnce } from './connection.ts';
import { spawnProgram } from './program.ts';

/** Default settings, but without rate limits, on free ports, and with tokens that stay valid on another port. */
export const SETTINGS = {
  ACCOUNTS_PORT: '0',
  METADATA_PORT: '0',
  PUBLIC_URL: 'http://gatehouse.test',
  ...allRateLimits('1000000000'),
};

export interface Server {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer with 200. */
  readonly startMs: number;
  close(): Promise<void>;
}

export type ServiceName = 'accounts' | 'metadata';

const ADDRESS_LINES: Readonly<Record<ServiceName, RegExp>> = {
  accounts: /^Accounts .*:(\d+)$/m,
  metadata: /^Metadata .*:(\d+)$/m,
};

/** Starts a service on a folder, as operators do, and waits for its first answer. */
export const startServer = async (
  folder: string,
  service: ServiceName = 'accounts',
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const startedAt = performance.now();
  const child = spawnProgram(process.execPath, [join(root, `dist/servers/${service}.js`)], {
    cwd: folder,
    env: { ...SETTINGS, ...settings, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const digits = ADDRESS_LINES[service].exec(stderr)?.[1];
      if (digits !== undefined) resolve(Number(digits));
    });
    child.once('close', () => reject(new Error(`The server did not start:\n${stderr}`)));
  });
  await askOnce(port, { method: 'GET', path: '/health' });
  const startMs = performance.now() - startedAt;
  return {
    port,
    pid: child.pid ?? 0,
    startMs,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
