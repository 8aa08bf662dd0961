import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileCounts } from './mocha-child.ts';

export interface FileResult extends FileCounts {
  readonly seconds: number;
  /** What the file printed, worth showing when something failed. */
  readonly output: string;
}

export interface FileLimits {
  /** Milliseconds for one test that sets no time of its own. */
  readonly test: number;
  /** Milliseconds for the whole file. */
  readonly file: number;
  /** Milliseconds in which the file's process must end by itself after its last test. */
  readonly leftovers: number;
}

const CHILD = fileURLToPath(new URL('./mocha-child.js', import.meta.url));
const running = new Set<ChildProcess>();

const endGroup = (child: ChildProcess) => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
};

/** Ends what still runs, together with all that it started. */
export const endRunningFiles = (): void => running.forEach(endGroup);

/**
 * Runs one test file in a process of its own, or several that take turns in one, so that no file finds what another one left: environment, fakes, open
 * handles. A file that crashes, hangs, or leaves something running counts as one more failure.
 */
export const runFile = (
  file: string | readonly string[],
  env: NodeJS.ProcessEnv,
  limits: FileLimits,
): Promise<FileResult> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    // Several are run again one by one where something failed, and need no readable traces before.
    const readable = typeof file === 'string' ? ['--enable-source-maps'] : [];
    const args = [...readable, CHILD, String(limits.test), ...[file].flat()];
    const child = spawn(process.execPath, args, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    running.add(child);
    let output = '';
    let counts: FileCounts | undefined;
    let trouble = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);

    const stop = (why: string) => {
      trouble = why;
      endGroup(child);
    };
    let timer = setTimeout(stop, limits.file, `was stopped after ${limits.file / 1000} s`);
    child.on('message', (message) => {
      counts = message as FileCounts;
      clearTimeout(timer);
      timer = setTimeout(stop, limits.leftovers, 'left something running after its last test');
    });
    child.once('error', (error) => stop(`could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      endGroup(child);
      running.delete(child);
      if (trouble === '' && (counts === undefined || code !== 0))
        trouble = `ended with ${signal ?? `code ${code}`}`;
      if (trouble === '' && counts?.passed === 0 && counts.failed + counts.skipped === 0)
        trouble = 'holds no test';
      const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
      resolve({
        passed,
        failed: failed + (trouble === '' ? 0 : 1),
        skipped,
        seconds: (performance.now() - startedAt) / 1000,
        output: trouble === '' ? output : `${output}\n  This file ${trouble}.\n`,
      });
    });
  });
