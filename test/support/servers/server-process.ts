import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { compositionSettings } from '../composition.ts';
import { easySettings } from '../service.ts';
import { hooksOf, type Scope } from '../temp-folder.ts';
import { root } from '../tree/root.ts';
import { until } from '../until.ts';

/** The exit code or signal of a process. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type Settings = Readonly<Record<string, string | undefined>>;

/** A program of dist/servers in a process group of its own, started like an operator does. */
export interface ServerProcess {
  readonly pid: number;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** The lines of its log so far. */
  logged(): readonly LogLine[];
  /** Waits until the server has logged the event. */
  logs(event: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<Ending>;
}

export interface LogLine {
  readonly event: string;
  readonly level: number;
  readonly time: string;
  readonly pid: number;
  readonly address?: string;
  readonly requestId?: string;
}

export interface RunningServer extends ServerProcess {
  /** The URLs of the services; empty for a service that was not started. */
  readonly url: string;
  readonly metadataUrl: string;
}

/** Whether a process of the group is running. */
export const isGroupAlive = (pid: number): boolean => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
};

const endGroup = (pid: number): void => {
  if (isGroupAlive(pid)) process.kill(-pid, 'SIGKILL');
};

export type Entry = 'all' | 'accounts' | 'metadata';

const spawnServer = (entry: Entry, folder: string, settings: Settings, before: string): ServerProcess => {
  const program = join(root, 'dist/servers', `${entry}.js`);
  // Without a mask, files get the right mode only if the program sets it.
  const child = spawn('sh', ['-c', `umask 0; ${before}; exec "$0" "$1"`, process.execPath, program], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...easySettings,
      LOG_LEVEL: 'info',
      ...compositionSettings(folder),
      ...settings,
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The server could not be started.');
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const lines: LogLine[] = [];
  let parsed = 0;
  // Callers that wait for a line call this many times a second: each line is parsed once.
  const logged = (): readonly LogLine[] => {
    const end = out.lastIndexOf('\n') + 1;
    for (const line of out.slice(parsed, end).split('\n')) if (line !== '') lines.push(JSON.parse(line));
    parsed = end;
    return [...lines];
  };
  return {
    pid,
    stdout: () => out,
    stderr: () => err,
    logged,
    logs: (event) => until(() => logged().some((line) => line.event === event)),
    signal: (name) => process.kill(pid, name),
    ended: new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    }),
  };
};

const urlIn = (text: string, service: string): string =>
  new RegExp(`^${service} +(http\\S+)$`, 'm').exec(text)?.[1] ?? '';

/**
 * The first connection of a process loads the parser of `fetch`, which meanwhile misses that a socket is closed: a request to
 * a killed server would never end. Therefore no request of a test is the first.
 */
let loadingFetch: Promise<void> | undefined;
const loadFetch = async (): Promise<void> => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } })).text();
  server.close();
};

/** Waits for the text that a server prints once it listens; the text arrives in one chunk. */
const whenUp = async (server: ServerProcess): Promise<RunningServer> => {
  let ending: Ending | undefined;
  // `ended` never rejects; the code below waits for `ending`.
  void server.ended.then((result) => {
    ending = result;
  });
  await until(() => ending !== undefined || /^Data .*\n/m.test(server.stderr()));
  if (ending !== undefined) throw new Error(`The server ended with ${ending.code}: ${server.stderr()}`);
  const text = server.stderr();
  loadingFetch ??= loadFetch();
  await loadingFetch;
  return { ...server, url: urlIn(text, 'Accounts'), metadataUrl: urlIn(text, 'Metadata') };
};

/** Starts servers for the tests of a suite; running servers are ended after each test, or after all tests. */
export const useServerProcesses = (scope: Scope = 'test') => {
  const started: ServerProcess[] = [];
  hooksOf(scope).end(async () => {
    const all = started.splice(0);
    for (const { pid } of all) endGroup(pid);
    await Promise.all(all.map(({ ended }) => ended));
  });

  /** `before` is a shell command for this process only, such as a limit. */
  const launch = (entry: Entry, folder: string, settings: Settings = {}, before = 'true'): ServerProcess => {
    const server = spawnServer(entry, folder, settings, before);
    started.push(server);
    return server;
  };
  return {
    launch,
    /** Starts a server and waits until it serves. */
    start: (...args: Parameters<typeof launch>): Promise<RunningServer> => whenUp(launch(...args)),
  };
};
