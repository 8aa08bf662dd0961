import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/tree/root.ts';
import { spawnProgram } from './program.ts';
import type { UnopenedStore } from './scale.ts';
import { INTERNAL_SECRET } from './scale.ts';
import { SETTINGS } from './server.ts';

export interface CommandAnswer {
  /** Null where it was ended before it was done. */
  readonly code: number | null;
  /** Milliseconds, with those of the start. */
  readonly took: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
  readonly printed: string;
}

const AT_EXIT = new URL('./programs/cpu-at-exit.js', import.meta.url).href;

/** Runs a command on a store, at most for so long (milliseconds). */
export const runCommand = async (
  { folder, settings }: UnopenedStore,
  args: readonly string[],
  most = 600_000,
): Promise<CommandAnswer> => {
  const file = join(folder, 'cpu');
  const began = performance.now();
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
  const timer = setTimeout(() => child.kill('SIGKILL'), most);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  const took = performance.now() - began;
  return {
    code,
    took,
    cpu: code === null ? Number.NaN : Number(readFileSync(file, 'utf8')) / 1_000,
    printed,
  };
};
