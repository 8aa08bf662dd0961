import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Counts, CountsByFile, RunAnswer, TimesByFile } from './mocha-child.ts';
import { endBelow, endGroup, endTree } from './process-tree.ts';

export interface FileResult extends Counts {
  readonly seconds: number;
  readonly times: TimesByFile;
  /** The output of the file, shown after a failure. */
  readonly output: string;
  /** The counts of each file; undefined if the process crashed, hung or left something running. */
  readonly byFile: CountsByFile | undefined;
}

export interface FileLimits {
  /** Milliseconds for a test without a time-out of its own. */
  readonly test: number;
  /** Milliseconds for the whole file. */
  readonly file: number;
  /** Milliseconds in which the file's process must end by itself after its last test. */
  readonly leftovers: number;
  /** A regular expression: only tests whose titles match it are run. */
  readonly pattern?: string;
}

const CHILD = fileURLToPath(new URL('./mocha-child.js', import.meta.url));

/**
 * Ends all processes that this process and its tests have started when this process ends, except by SIGKILL. `tidyUp` runs
 * afterwards, when no process writes any more.
 */
export const endAllWithThisProcess = (tidyUp: () => void): void => {
  process.once('exit', () => {
    endBelow(process.pid);
    tidyUp();
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
};

export const sumOf = (counts: readonly Counts[]): Counts => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  skipped: counts.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** Describes what is wrong with the end of the files' process; empty if nothing is. */
const troubleOf = (
  files: readonly string[],
  countsByFile: CountsByFile | undefined,
  { code, signal, pattern }: { code: number | null; signal: string | null; pattern: string | undefined },
): string => {
  if (countsByFile === undefined || code !== 0) return `ended with ${signal ?? `code ${code}`}`;
  const isEmpty = pattern === undefined && files.some((file) => countsByFile[file] === undefined);
  return isEmpty ? 'holds no test' : '';
};

/**
 * Runs a test file in a process of its own, which isolates the environment, fakes and open handles, or several files one after
 * the other in one process. A file that crashes, hangs, or leaves something running counts as one more failure.
 */
export const runFile = (
  fileOrFiles: string | readonly string[],
  env: NodeJS.ProcessEnv,
  limits: FileLimits,
): Promise<FileResult> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const files = [fileOrFiles].flat();
    const args = ['--enable-source-maps', CHILD, String(limits.test), limits.pattern ?? '', ...files];
    const child = spawn(process.execPath, args, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { pid } = child;
    let output = '';
    let countsByFile: CountsByFile | undefined;
    let times: TimesByFile = {};
    let trouble = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);

    const stop = (why: string) => {
      trouble = why;
      if (pid !== undefined) endTree(pid);
    };
    let timer = setTimeout(stop, limits.file, `was stopped after ${limits.file / 1000} s`);
    child.on('message', (message) => {
      ({ byFile: countsByFile, times } = message as RunAnswer);
      clearTimeout(timer);
      timer = setTimeout(stop, limits.leftovers, 'left something running after its last test');
    });
    child.once('error', (error) => stop(`could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (pid !== undefined) endGroup(pid);
      if (trouble === '') trouble = troubleOf(files, countsByFile, { code, signal, pattern: limits.pattern });
      const counts = sumOf(Object.values(countsByFile ?? {}));
      resolve({
        ...counts,
        failed: counts.failed + (trouble === '' ? 0 : 1),
        byFile: trouble === '' ? countsByFile : undefined,
        seconds: (performance.now() - startedAt) / 1000,
        times,
        output: trouble === '' ? output : `${output}\n  This file ${trouble}.\n`,
      });
    });
  });

/** Runs one file on this terminal. The process waits for a debugger before it loads the file; tests have no time-out. */
export const inspectFile = (file: string, env: NodeJS.ProcessEnv, pattern = ''): Promise<void> =>
  new Promise((resolve) => {
    const args = ['--enable-source-maps', CHILD, 'inspected', pattern, file];
    spawn(process.execPath, args, { env, stdio: 'inherit' }).once('close', () => resolve());
  });
