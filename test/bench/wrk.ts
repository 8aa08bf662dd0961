import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { load } from './load.ts';
import { spawnProgram } from './program.ts';
import type { Client } from './request.ts';

/** What a run of wrk came to. */
export interface WrkAnswer {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

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

/** Asks for one thing over 64 connections: by wrk, or where that is missing by a program of ours. */
export const hammer = async (port: number, client: Client, seconds: number): Promise<WrkAnswer> => {
  if (!hasWrk) {
    const clients = Array.from({ length: 64 }, () => client);
    return load({ port, seconds, rotates: false, clients });
  }
  const header = client.token === undefined ? [] : ['-H', `Authorization: Bearer ${client.token}`];
  const url = `http://127.0.0.1:${port}${client.path}`;
  const wrk = spawnProgram(
    'wrk',
    ['-t1', '-c64', `-d${seconds}s`, '--timeout', '30s', '--latency', ...header, url],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  wrk.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(wrk, 'close');
  return readWrk(text);
};
