import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { spawnProgram } from './program.ts';
import type { UnopenedStore } from './scale.ts';
import { INTERNAL_SECRET } from './scale.ts';
import { SETTINGS } from './server.ts';

export interface CommandAnswer {
  /** Null if the command was killed at the time limit. */
  readonly code: number | null;
  /** Includes the start of the process. */
  readonly elapsedMs: number;
  /** Milliseconds of processor time; NaN for a killed command. */
  readonly cpu: number;
  readonly printed: string;
}

const AT_EXIT = new URL('./programs/cpu-at-exit.js', import.meta.url).href;

/** Runs a command on a store, and kills it after the time limit. */
export const runCommand = async (
  { folder, settings }: UnopenedStore,
  args: readonly string[],
  limitMs = 600_000,
): Promise<CommandAnswer> => {
  const file = join(folder, 'cpu');
  const startedAt = performance.now();
  const child = spawnProgram(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
    cwd: folder,
    env: {
      ...SETTINGS,
      ...settings,
      INTERNAL_SECRET,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      BENCH_CPU_FILE: file,
      NODE_OPTIONS: `--import ${AT_EXIT}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      if (printed.length < 10_000) printed += chunk.toString();
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const elapsedMs = performance.now() - startedAt;
  return {
    code,
    elapsedMs,
    cpu: code === null ? Number.NaN : Number(readFileSync(file, 'utf8')) / 1_000,
    printed,
  };
};
