import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compositionSettings } from '../support/composition.ts';
import { easySettings } from '../support/service.ts';
import { root } from '../support/tree/root.ts';

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command in a folder, with `input` on its standard input. */
export const runCommand = (
  folder: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main-joined.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...easySettings, ...compositionSettings(folder), ...options.env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
    // A command that reads nothing may have ended before the input comes.
    child.stdin.once('error', () => undefined).end(options.input ?? '');
  });

/** What a command printed with `--json`: each line a document. */
export const documentsOf = ({ stdout }: Ran): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
