import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { easySettings } from '../support/service.ts';
import { root } from '../support/tree/root.ts';

/** The shell blocks of a document, each as its lines, in their order. */
export const blocksOf = (document: string): readonly (readonly string[])[] =>
  [...readFileSync(join(root, 'docs', document), 'utf8').matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(
    ([, indent = '', block = '']) =>
      block
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(indent.length)),
  );

/** Makes a shell in a folder in which `npx --no gatehouse` runs the built command. */
export const makeShell = (folder: string) => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);

  const program = (name: string, lines: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(bin, name), 0o700);
  };
  program('npx', `shift 2\nexec '${process.execPath}' '${join(root, 'dist/cli/main-joined.js')}' "$@"`);

  return {
    /** Adds a shell script to its PATH. */
    program,
    /** Runs the lines as one script that stops at the first failure. Returns its standard output. */
    run: async (
      lines: readonly string[],
      options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
    ): Promise<string> => {
      const script = ['trap \'echo "This failed: $BASH_COMMAND" >&2\' ERR', 'set -eu', ...lines].join('\n');
      const child = spawn('bash', ['--norc', '-c', script], {
        cwd: folder,
        env: { PATH: `${bin}:${process.env.PATH}`, ...(options.env ?? easySettings) },
      });
      // A command that does not read its input may end before the input is written.
      child.stdin.once('error', () => undefined).end(options.input ?? '');
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      expect(code, stderr).to.equal(0);
      return stdout;
    },
  };
};
