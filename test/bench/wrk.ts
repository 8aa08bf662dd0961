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

/** The result of a run of wrk. */
export interface WrkAnswer {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** A result with the cores that the load used itself. */
export interface HammerAnswer extends WrkAnswer {
  readonly ownCores: number;
}

const CONNECTIONS = 64;
/** The time between two reads of wrk's processor time. */
const INTERVAL_MS = 50;

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

/** Parses the output of `wrk --latency`. Throws if a request failed. */
export const readWrk = (text: string): WrkAnswer => {
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(text)?.[0];
  if (failed !== undefined) throw new Error(`wrk: ${failed}`);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(text)?.[1];
  const [, p99, unit = ''] = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(text) ?? [];
  if (rate === undefined || p99 === undefined) throw new Error(`The output of wrk is unknown:\n${text}`);
  return { perSecond: Number(rate), p99: Number(p99) * (MILLISECONDS[unit] ?? Number.NaN) };
};

/** Passes the work the options with which wrk sends all requests in turn, without headers but those of a body. */
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
  let cpu = 0;
  const timer = setInterval(() => {
    cpu = cpuSeconds(wrk.pid ?? 0) ?? cpu;
  }, INTERVAL_MS);
  await once(wrk, 'close');
  clearInterval(timer);
  return { ...readWrk(text), ownCores: cpu / seconds };
};

/** Repeats a request over 64 connections: by wrk, or by the program `load` if wrk is missing. */
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

/** Sends many requests without tokens in turn over 64 connections. */
export const hammerAll = (port: number, all: readonly Client[], seconds: number): Promise<HammerAnswer> => {
  if (hasWrk) return withScript(all, (options) => runWrk(port, '/', seconds, options));
  const clients = Array.from({ length: CONNECTIONS }, (_, index) => all[index % all.length] as Client);
  return load({ port, seconds, rotates: false, clients });
};
