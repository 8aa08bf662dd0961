import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgresql } from '../support/servers/postgresql-server.ts';
import { cpuSeconds } from './cpu.ts';
import { childrenOf } from './resident.ts';

export interface ServerCpu {
  /** Seconds of processor time of all its running processes. */
  seconds(): number;
}

/** Starts a durable server, and passes the URL of an empty database to the work. */
export const onPostgresql = async <T>(work: (url: string, server: ServerCpu) => Promise<T>): Promise<T> => {
  const server = await startPostgresql({ durable: true });
  try {
    await server.createDatabase('bench');
    const pid = Number(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const seconds = () => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (cpuSeconds(each) ?? 0), 0);
    return await work(server.url('bench'), { seconds });
  } finally {
    await server.end();
  }
};
