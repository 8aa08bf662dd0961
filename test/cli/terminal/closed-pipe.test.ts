import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

describe('A command whose output cannot be written', () => {
  const folder = useTempFolder();

  /** Runs `config check` into a pipe without a reader. Returns its exit code and its standard error. */
  const run = (redirection: string, env: Readonly<Record<string, string>> = {}) => {
    const script = `{ "$0" "$1" config check ${redirection}; echo $? > code; } | true`;
    const { stderr } = spawnSync(
      'sh',
      ['-c', script, process.execPath, join(root, 'dist/cli/main-joined.js')],
      {
        cwd: folder(),
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      },
    );
    return { code: readFileSync(join(folder(), 'code'), 'utf8').trim(), stderr };
  };

  it('exits with 0 and prints no error if the reader has closed the pipe', () => {
    expect(run('')).to.deep.equal({ code: '0', stderr: '' });
  });

  it('exits with 1 and prints the error in one line if the disk is full', () => {
    const { code, stderr } = run('> /dev/full');
    expect(code).to.equal('1');
    expect(stderr).to.match(/^The output could not be written: ENOSPC[^\n]*\n$/);
  });

  it('keeps its exit code if the reader of its messages has closed the pipe', () => {
    expect(run('2>&1', { ACCOUNTS_PORT: 'many' })).to.deep.equal({ code: '78', stderr: '' });
  });
});
