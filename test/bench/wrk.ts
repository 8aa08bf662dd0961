import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds } from './cpu.ts';
import { inFolder } from './folder.ts';
import { load } from './load.ts';
import { spawnProgram } from './program.ts';
import type { Client } from './request.ts';
import { scriptOf } from './wrk-script.ts';

/** What a run of wrk came to. */
export interface WrkAnswer {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** The same with how much of a core the load took itself. */
export interface HammerAnswer extends WrkAnswer {
  readonly ownCores: number;
}

const CONNECTIONS = 64;
/** Milliseconds between two looks at the processor time of wrk. */
const LOOK = 50;

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

/** Reads what `wrk --latency` prints. Throws when some answer was no success. */
export const readWrk = (text: string): WrkAnswer => {
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(text)?.[0];
  if (failed !== undefined) throw new Error(`wrk: ${failed}`);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(text)?.[1];
  const [, p99, unit = ''] = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(text) ?? [];
  if (rate === undefined || p99 === undefined) throw new Error(`wrk printed something else:\n${text}`);
  return { perSecond: Number(rate), p99: Number(p99) * (MILLISECONDS[unit] ?? Number.NaN) };
};

/** Gives the work the options by which wrk asks for all of these in turn; no header but those of a body. */
const withScript = <T>(clients: readonly Client[], work: (options: readonly string[]) => Promise<T>) =>
  inFolder(async (folder) => {
    const script = join(folder, 'wrk.lua');
    writeFileSync(script, scriptOf(clients));
    return work(['-s', script]);
  });

const runWrk = async (
  port: number,
  path: string,
  seconds: number,
  options: readonly string[],
): Promise<HammerAnswer> => {
  const url = `http://127.0.0.1:${port}${path}`;
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s', '--latency', ...options, url];
  const wrk = spawnProgram('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  wrk.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  let taken = 0;
  const look = setInterval(() => {
    taken = cpuSeconds(wrk.pid ?? 0) ?? taken;
  }, LOOK);
  await once(wrk, 'close');
  clearInterval(look);
  return { ...readWrk(text), ownCores: taken / seconds };
};

/** Asks for one thing over 64 connections: by wrk, or where that is missing by a program of ours. */
export const hammer = async (port: number, client: Client, seconds: number): Promise<HammerAnswer> => {
  if (!hasWrk || client.body !== undefined) return hammerAll(port, [client], seconds);
  const { token, cookie } = client;
  const headers = [
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin']),
  ];
  const options = headers.flatMap((header) => ['-H', header]);
  return runWrk(port, client.path, seconds, options);
};

/** The same for many things in turn, none of which has a token. */
export const hammerAll = (port: number, all: readonly Client[], seconds: number): Promise<HammerAnswer> => {
  if (hasWrk) return withScript(all, (options) => runWrk(port, '/', seconds, options));
  const clients = Array.from({ length: CONNECTIONS }, (_, place) => all[place % all.length] as Client);
  return load({ port, seconds, rotates: false, clients });
};
